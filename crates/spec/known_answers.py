#!/usr/bin/env python3
"""Makes src/known_answers.json anew: what every library must compute from the fixed inputs of crates/worker/src/inputs.rs.

Needs `pip install pycryptodome kyber-py dilithium-py slh-dsa`: implementations of their own, none of which we measure.
`known_answers.py --check` only compares. Run it after pki/make.sh, because the signatures are by the keys in pki/.

Published vectors: X25519 from RFC 7748 6.1, P-256 and P-384 from RFC 5903 8.1 and 8.2. They are recomputed here.
"""

import json
import pathlib
import subprocess
import sys

from Crypto.Cipher import AES, ARC4, DES3, ChaCha20_Poly1305
from Crypto.Hash import HMAC, MD5, SHA1, SHA256, SHA384, SHA512
from Crypto.Protocol.KDF import HKDF
from Crypto.PublicKey import ECC, RSA
from Crypto.Signature import DSS, eddsa, pss
from dilithium_py.ml_dsa import ML_DSA_44, ML_DSA_65, ML_DSA_87
from kyber_py.ml_kem import ML_KEM_768
from slhdsa.lowlevel import slhdsa
from slhdsa.lowlevel.parameters import sha2_128f

HERE = pathlib.Path(__file__).parent
OUT = HERE / "src" / "known_answers.json"
PKI = HERE.parent.parent / "pki"

# The message sizes at which answers are known: whole blocks, and an odd length.
WHOLE, ODD = 64, 61


def fixed(length, step, start):
    return bytes((i * step + start) % 256 for i in range(length))


KEY = fixed(64, 29, 11)
MAC_KEY = fixed(64, 53, 7)
IV = fixed(16, 19, 5)
# What a TLS 1.3 server signs (RFC 8446 4.4.3), with a fixed transcript hash.
SIGNED = b" " * 64 + b"TLS 1.3, server CertificateVerify\0" + fixed(32, 31, 17)


def message(size):
    return fixed(size, 167, 13)


def additional_data(size):
    return bytes(8) + b"\x17\x03\x03" + size.to_bytes(2, "big")


def aead(make):
    def answer(size):
        cipher = make()
        cipher.update(additional_data(size))
        return b"".join(cipher.encrypt_and_digest(message(size)))
    return answer


def cbc(key_length, digest=None):
    def answer(size):
        text = message(size)
        if digest is not None:
            mac = HMAC.new(MAC_KEY[:digest.digest_size], additional_data(size) + text, digest).digest()
            padding = 15 - (size + len(mac)) % 16
            text += mac + bytes([padding]) * (padding + 1)
        return AES.new(KEY[:key_length], AES.MODE_CBC, IV).encrypt(text)
    return answer


def mac(digest):
    return lambda size: HMAC.new(MAC_KEY[:digest.digest_size], message(size), digest).digest()


def hkdf(digest):
    length = digest.digest_size
    return HKDF(KEY[:32], length, MAC_KEY[:length], digest, context=b"")


def sized():
    any_length = {
        "aes-128-gcm:encrypt": aead(lambda: AES.new(KEY[:16], AES.MODE_GCM, nonce=IV[:12])),
        "aes-256-gcm:encrypt": aead(lambda: AES.new(KEY[:32], AES.MODE_GCM, nonce=IV[:12])),
        "aes-128-ccm:encrypt": aead(lambda: AES.new(KEY[:16], AES.MODE_CCM, nonce=IV[:12])),
        "chacha20-poly1305:encrypt": aead(lambda: ChaCha20_Poly1305.new(key=KEY[:32], nonce=IV[:12])),
        "aes-128-cbc-hmac-sha1:encrypt": cbc(16, SHA1),
        "aes-256-cbc-hmac-sha1:encrypt": cbc(32, SHA1),
        "aes-128-cbc-hmac-sha256:encrypt": cbc(16, SHA256),
        "aes-256-cbc-hmac-sha256:encrypt": cbc(32, SHA256),
        "rc4:encrypt": lambda size: ARC4.new(KEY[:16]).encrypt(message(size)),
        "md5:digest": lambda size: MD5.new(message(size)).digest(),
        "sha1:digest": lambda size: SHA1.new(message(size)).digest(),
        "sha256:digest": lambda size: SHA256.new(message(size)).digest(),
        "sha384:digest": lambda size: SHA384.new(message(size)).digest(),
        "sha512:digest": lambda size: SHA512.new(message(size)).digest(),
        "hmac-sha1:mac": mac(SHA1),
        "hmac-sha256:mac": mac(SHA256),
        "hmac-sha384:mac": mac(SHA384),
    }
    whole_blocks = {
        "aes-128-cbc:encrypt": cbc(16),
        "aes-256-cbc:encrypt": cbc(32),
        "3des-cbc:encrypt": lambda size: DES3.new(KEY[:24], DES3.MODE_CBC, IV[:8]).encrypt(message(size)),
    }
    vectors = {}
    for name, answer in any_length.items():
        vectors[name] = {"answers": {str(size): answer(size).hex() for size in (WHOLE, ODD)}}
    for name, answer in whole_blocks.items():
        vectors[name] = {"answers": {str(WHOLE): answer(WHOLE).hex()}}
    vectors["hkdf-sha256:derive"] = {"answers": {"0": hkdf(SHA256).hex()}}
    vectors["hkdf-sha384:derive"] = {"answers": {"0": hkdf(SHA384).hex()}}
    return vectors


def key_agreements():
    rfc_5903_p256 = (
        "C88F01F510D9AC3F70A292DAA2316DE544E9AAB8AFE84049C62A9C57862D1433",
        "D12DFB5289C8D4F81208B70270398C342296970A0BCCB74C736FC7554494BF63"
        "56FBF3CA366CC23E8157854C13C58D6AAC23F046ADA30F8353E74F33039872AB",
        "D6840F6B42F6EDAFD13116E0E12565202FEF8E9ECE7DCE03812464D04B9442DE",
    )
    rfc_5903_p384 = (
        "099F3C7034D4A2C699884D73A375A67F7624EF7C6B3C0F160647B67414DCE655E35B538041E649EE3FAEF896783AB194",
        "E558DBEF53EECDE3D3FCCFC1AEA08A89A987475D12FD950D83CFA41732BC509D0D1AC43A0336DEF96FDA41D0774A3571"
        "DCFBEC7AACF3196472169E838430367F66EEBE3C6E70C416DD5F0C68759DD1FFF83FA40142209DFF5EAAD96DB9E6386C",
        "11187331C279962D93D604243FD592CB9D0A926F422E47187521287E7156C5C4D603135569B9E9D09CF5D4A270F59746",
    )
    return {
        "ecdh-p256:derive": on_curve("P-256", *map(bytes.fromhex, rfc_5903_p256)),
        "ecdh-p384:derive": on_curve("P-384", *map(bytes.fromhex, rfc_5903_p384)),
        "x25519:derive": rfc_7748(),
    }


def on_curve(curve, private, peer, secret):
    key = ECC.construct(curve=curve, d=int.from_bytes(private, "big"))
    half = len(peer) // 2
    point = ECC.EccPoint(int.from_bytes(peer[:half], "big"), int.from_bytes(peer[half:], "big"), curve)
    assert int((point * key.d).x).to_bytes(half, "big") == secret, curve
    return {
        "private_key": key.export_key(format="DER", use_pkcs8=True).hex(),
        "peer": "04" + peer.hex(),
        "answers": {"0": secret.hex()},
    }


def rfc_7748():
    private = bytes.fromhex("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")
    peer = bytes.fromhex("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
    secret = bytes.fromhex("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742")
    key = ECC.construct(curve="Curve25519", seed=private)
    assert x25519(private, peer) == secret
    return {
        "private_key": key.export_key(format="DER", use_pkcs8=True).hex(),
        "peer": peer.hex(),
        "answers": {"0": secret.hex()},
    }


def x25519(scalar, u):
    """The Montgomery ladder of RFC 7748 5, word for word."""
    p, a24 = 2**255 - 19, 121665
    k = int.from_bytes(scalar, "little") & ~(1 << 255) & ~7 | 1 << 254
    x_1 = int.from_bytes(u, "little") & ~(1 << 255)
    x_2, z_2, x_3, z_3, swap = 1, 0, x_1, 1, 0
    for t in reversed(range(255)):
        bit = k >> t & 1
        if swap ^ bit:
            x_2, x_3, z_2, z_3 = x_3, x_2, z_3, z_2
        swap = bit
        a, b, c, d = x_2 + z_2, x_2 - z_2, x_3 + z_3, x_3 - z_3
        aa, bb, da, cb = a * a % p, b * b % p, d * a % p, c * b % p
        e = aa - bb
        x_3, z_3 = (da + cb) ** 2 % p, x_1 * (da - cb) ** 2 % p
        x_2, z_2 = aa * bb % p, e * (aa + a24 * e) % p
    if swap:
        x_2, z_2 = x_3, z_3
    return (x_2 * pow(z_2, p - 2, p) % p).to_bytes(32, "little")


def signatures():
    def rsa(name):
        key = RSA.import_key(pem(name))
        return pss.new(key, salt_bytes=32, rand_func=lambda n: fixed(n, 41, 3)).sign(SHA256.new(SIGNED))

    def ecdsa(name, digest):
        key = ECC.import_key(pem(name))
        return DSS.new(key, "deterministic-rfc6979", encoding="der").sign(digest.new(SIGNED))

    ed25519 = eddsa.new(ECC.import_key(pem("ed25519")), "rfc8032").sign(SIGNED)
    vectors = {f"{name}:verify": {"signature": rsa(name).hex()} for name in ("rsa-2048", "rsa-3072", "rsa-4096")}
    vectors["ecdsa-p256:verify"] = {"signature": ecdsa("ecdsa-p256", SHA256).hex()}
    vectors["ecdsa-p384:verify"] = {"signature": ecdsa("ecdsa-p384", SHA384).hex()}
    vectors["ed25519:verify"] = {"signature": ed25519.hex()}
    # The only signature of the list that is the same every time.
    vectors["ed25519:sign"] = {"answers": {"0": ed25519.hex()}}
    return vectors


def pem(name):
    text = (PKI / name / "server.key").read_text()
    return text[text.index("-----BEGIN"):]


def post_quantum():
    encapsulation_key, decapsulation_key = ML_KEM_768._keygen_internal(fixed(32, 3, 1), fixed(32, 5, 2))
    secret, ciphertext = ML_KEM_768._encaps_internal(encapsulation_key, fixed(32, 9, 4))
    vectors = {
        "ml-kem-768:encapsulate": {"private_key": decapsulation_key.hex(), "peer": encapsulation_key.hex()},
        "ml-kem-768:decapsulate": {
            "private_key": decapsulation_key.hex(),
            "peer": ciphertext.hex(),
            "answers": {"0": secret.hex()},
        },
    }
    for name, scheme in {"ml-dsa-44": ML_DSA_44, "ml-dsa-65": ML_DSA_65, "ml-dsa-87": ML_DSA_87}.items():
        public, private = scheme._keygen_internal(fixed(32, 15, 6))
        vectors |= signing(name, private, public, scheme.sign(private, SIGNED, deterministic=True))
    return vectors | hash_based()


def hash_based():
    # Its key generation takes no seed, only randomness: three times n bytes.
    slhdsa.token_bytes = lambda n: fixed(n, 21, 8)
    private, public = slhdsa.keygen(sha2_128f)
    # Pure SLH-DSA with an empty context: FIPS 205, algorithm 22.
    signature = slhdsa.sign(b"\0\0" + SIGNED, private, sha2_128f, False)
    return signing("slh-dsa-sha2-128f", b"".join(private), b"".join(public), signature)


def signing(name, private, public, signature):
    return {
        f"{name}:sign": {"private_key": private.hex(), "peer": public.hex()},
        f"{name}:verify": {"peer": public.hex(), "signature": signature.hex()},
    }


# How many certificates the bundle holds, and the serial number of the certificate.
def setup():
    bundle = (PKI / "ca-bundle.pem").read_text().count("-----BEGIN CERTIFICATE-----")
    shown = subprocess.run(
        ["openssl", "x509", "-inform", "DER", "-in", PKI / "certificate.der", "-noout", "-serial"],
        check=True, capture_output=True, text=True,
    ).stdout
    return {
        "ca-bundle:load": {"answers": {"0": bundle.to_bytes(4, "big").hex()}},
        "certificate:parse": {"answers": {"0": shown.strip().split("=")[1].lower()}},
    }


def main():
    vectors = sized() | key_agreements() | signatures() | post_quantum() | setup()
    text = json.dumps(vectors, indent=1, sort_keys=True) + "\n"
    if "--check" not in sys.argv:
        OUT.write_text(text)
    elif OUT.read_text() != text:
        sys.exit(f"{OUT} is not what this script makes: run it without --check")


main()
