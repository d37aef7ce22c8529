// Cryptographic operations by node:crypto, called as a program calls them. Each is an object with `once`, which does
// it, and `answer`, which does it from its beginning and returns the whole output.
//
// node:crypto keeps no cipher, hash or MAC between messages: each record makes its own and drops it, and that is part
// of the figure. Keys are set up once, as KeyObject.

import crypto from 'node:crypto';
import tls from 'node:tls';

import { CHECKED, Unsupported, classOf, inputs as inputsOf, isSized } from './inputs.mjs';

const NODE = `node:crypto of Node ${process.versions.node}`;

const MAKERS = { aead, cipher, hash, mac, kdf, signature, agreement, kem: postQuantum, context, bundle, certificate };

// Sets one operation up; throws Unsupported if Node has no such thing.
export function operation(algorithm, op, size, pki) {
    return MAKERS[classOf(algorithm)](algorithm, op, inputsOf(algorithm, op, size, pki));
}

// Whether Node has the operation, found by making one.
export function has(algorithm, op, pki) {
    try {
        operation(algorithm, op, isSized(algorithm) ? 64 : 0, pki);
        return true;
    } catch (error) {
        if (error instanceof Unsupported) return false;
        throw error;
    }
}

function need(known, name) {
    if (!known.includes(name)) throw new Unsupported(`${NODE} has no ${name}`);
}

// ---- records -------------------------------------------------------------------------------------------------------

const AEAD_KEYS = { 'aes-128-gcm': 16, 'aes-128-ccm': 16 };

function aead(algorithm, op, inputs) {
    need(crypto.getCiphers(), algorithm);
    const seal = new Seal(algorithm, inputs);
    return op === 'encrypt' ? seal : opening(seal);
}

// A new nonce for each record: its number, big-endian, xor-ed into the end of the IV (RFC 8446 5.3).
class Seal {
    constructor(algorithm, inputs) {
        this.algorithm = algorithm;
        this.key = crypto.createSecretKey(inputs.key.subarray(0, AEAD_KEYS[algorithm] ?? 32));
        this.iv = inputs.iv.subarray(0, 12);
        this.nonce = Buffer.from(this.iv);
        this.number = 0;
        this.additionalData = inputs.additionalData;
        this.message = inputs.message;
        this.length = { plaintextLength: inputs.message.length };
        this.options = { authTagLength: 16 };
    }

    nonceOf(number) {
        this.nonce.writeUInt32BE((this.iv.readUInt32BE(4) ^ Math.floor(number / 2 ** 32)) >>> 0, 4);
        this.nonce.writeUInt32BE((this.iv.readUInt32BE(8) ^ number) >>> 0, 8);
        return this.nonce;
    }

    seal() {
        const cipher = crypto.createCipheriv(this.algorithm, this.key, this.nonceOf(this.number), this.options);
        this.number += 1;
        cipher.setAAD(this.additionalData, this.length);
        const sealed = cipher.update(this.message);
        cipher.final();
        return [sealed, cipher.getAuthTag()];
    }

    once() { return this.seal(); }

    answer() {
        this.number = 0;
        return Buffer.concat(this.seal());
    }
}

// Opens record 0 again and again.
function opening(record) {
    const [sealed, tag] = record.seal();
    const nonce = record.nonceOf(0);
    const { algorithm, key, additionalData, length, options } = record;
    return repeatable(() => {
        const decipher = crypto.createDecipheriv(algorithm, key, nonce, options);
        decipher.setAuthTag(tag);
        decipher.setAAD(additionalData, length);
        const opened = decipher.update(sealed);
        decipher.final();
        return opened;
    });
}

const CIPHERS = {
    'aes-128-cbc': ['aes-128-cbc', 16], 'aes-256-cbc': ['aes-256-cbc', 32], '3des-cbc': ['des-ede3-cbc', 24],
};

function cipher(algorithm, op, inputs) {
    if (algorithm.includes('hmac')) {
        throw new Unsupported(`${NODE} exports CBC and HMAC, and nothing that composes them as TLS 1.2 does`);
    }
    const [name, length] = CIPHERS[algorithm] ?? [algorithm, 0];
    need(crypto.getCiphers(), name);
    const key = crypto.createSecretKey(inputs.key.subarray(0, length));
    const iv = inputs.iv.subarray(0, name.startsWith('des') ? 8 : 16);
    const encrypt = blocks(crypto.createCipheriv, name, key, iv, inputs.message);
    return op === 'encrypt' ? encrypt : blocks(crypto.createDecipheriv, name, key, iv, encrypt.once());
}

// Whole blocks, without padding; the IV stays the same.
const blocks = (create, name, key, iv, message) => repeatable(() => {
    const cipher = create(name, key, iv);
    cipher.setAutoPadding(false);
    const made = cipher.update(message);
    cipher.final();
    return made;
});

// ---- hashes --------------------------------------------------------------------------------------------------------

function hash(algorithm, op, { message }) {
    need(crypto.getHashes(), algorithm);
    return repeatable(() => crypto.createHash(algorithm).update(message).digest());
}

const LENGTHS = { sha1: 20, sha256: 32, sha384: 48 };

function mac(algorithm, op, { message, macKey }) {
    const name = algorithm.slice('hmac-'.length);
    need(crypto.getHashes(), name);
    const key = crypto.createSecretKey(macKey.subarray(0, LENGTHS[name]));
    return repeatable(() => crypto.createHmac(name, key).update(message).digest());
}

// Extraction and expansion, without info.
function kdf(algorithm, op, inputs) {
    const name = algorithm.slice('hkdf-'.length);
    need(crypto.getHashes(), name);
    const secret = crypto.createSecretKey(inputs.key.subarray(0, 32));
    const salt = inputs.macKey.subarray(0, LENGTHS[name]);
    return repeatable(() => crypto.hkdfSync(name, secret, salt, '', LENGTHS[name]),
        (derived) => Buffer.from(derived));
}

// An operation that gives the same output each time.
const repeatable = (once, output = (made) => made) => ({ once, answer: () => output(once()) });

// ---- public keys ---------------------------------------------------------------------------------------------------

// Each call hashes its message. RSA signs as TLS 1.3 does: PSS, SHA-256, a salt as long as the digest.
const PSS = { padding: crypto.constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
const SCHEMES = {
    'rsa-2048': ['sha256', PSS], 'rsa-3072': ['sha256', PSS], 'rsa-4096': ['sha256', PSS],
    'ecdsa-p256': ['sha256', {}], 'ecdsa-p384': ['sha384', {}], ed25519: [null, {}],
};

function signature(algorithm, op, { message, signature: given, pki }) {
    if (!(algorithm in SCHEMES)) return postQuantum(algorithm);
    const [digest, options] = SCHEMES[algorithm];
    const privateKey = crypto.createPrivateKey(pki.read(`${algorithm}/server.key`));
    const signing = { key: privateKey, ...options };
    const verifying = { key: crypto.createPublicKey(privateKey), ...options };
    const sign = () => crypto.sign(digest, message, signing);
    const verifies = (content, made) => crypto.verify(digest, content, verifying, made);
    if (op === 'sign') {
        const answer = () => {
            const made = sign();
            check(verifies(message, made), 'the signature does not pass its own verification');
            return algorithm === 'ed25519' ? made : CHECKED;
        };
        return { once: sign, answer };
    }
    const once = () => check(verifies(message, given), 'a good signature does not pass');
    const answer = () => {
        once();
        const other = Buffer.concat([message, Buffer.from([0])]);
        check(!verifies(other, given), 'a signature passes for another message');
        // The last byte belongs to a number in every format, never to a tag or a length.
        const forged = Buffer.from(given);
        forged[forged.length - 1] ^= 1;
        check(!verifies(message, forged), 'a signature with one bit changed passes');
        return CHECKED;
    };
    return { once, answer };
}

// FIPS 203 to 205, which Node has from some version on.
function postQuantum(algorithm) {
    try {
        crypto.generateKeyPairSync(algorithm);
    } catch {
        throw new Unsupported(`${NODE} has no ${algorithm}`);
    }
    throw new Unsupported(`${NODE} has ${algorithm}; this worker does not use it yet`);
}

function check(good, otherwise) {
    if (!good) throw new Error(otherwise);
}

const CURVES = { 'ecdh-p256': 'prime256v1', 'ecdh-p384': 'secp384r1' };

function agreement(algorithm, op, inputs) {
    if (algorithm === 'x25519') return op === 'keygen' ? keyPair(x25519Pair, agree) : x25519(inputs);
    const curve = CURVES[algorithm];
    need(crypto.getCurves(), curve);
    if (op === 'derive') return ecdh(curve, inputs);
    return keyPair(() => ecdhPair(curve), (ours, key) => ours.computeSecret(key));
}

// The peer's public value is decoded and checked each time, as it comes off the wire.
function ecdh(curve, { privateKey, peer }) {
    const ours = crypto.createECDH(curve);
    const key = crypto.createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });
    ours.setPrivateKey(Buffer.from(key.export({ format: 'jwk' }).d, 'base64url'));
    return repeatable(() => ours.computeSecret(peer));
}

// Key pairs: `make` gives the private key, and the public one as bytes to be sent; `agree` the secret that two have.
const keyPair = (make, agree) => ({
    once: make,
    answer() {
        const [[ours, ourPublic], [theirs, theirPublic]] = [make(), make()];
        check(agree(ours, theirPublic).equals(agree(theirs, ourPublic)), 'the two sides disagree');
        return CHECKED;
    },
});

function ecdhPair(curve) {
    const pair = crypto.createECDH(curve);
    return [pair, pair.generateKeys()];
}

// What stands before the 32 bytes in SubjectPublicKeyInfo (RFC 8410 4): node:crypto takes no bare key.
const X25519_PREFIX = Buffer.from('302a300506032b656e032100', 'hex');
const X25519_PUBLIC = { format: 'der', type: 'spki' };

function x25519({ privateKey, peer }) {
    const ours = crypto.createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });
    const key = Buffer.concat([X25519_PREFIX, peer]);
    return repeatable(() => agree(ours, key));
}

const agree = (privateKey, key) =>
    crypto.diffieHellman({ privateKey, publicKey: crypto.createPublicKey({ key, ...X25519_PUBLIC }) });

function x25519Pair() {
    const { privateKey, publicKey } = crypto.generateKeyPairSync('x25519');
    return [privateKey, publicKey.export(X25519_PUBLIC)];
}

// ---- what is done before connections -------------------------------------------------------------------------------

// A server's or a client's context, made and dropped: TLS 1.3 with one suite and one group.
function context(algorithm, op, { pki }) {
    const folder = 'ecdsa-p256';
    const options = {
        minVersion: 'TLSv1.3', maxVersion: 'TLSv1.3', ciphers: 'TLS_AES_128_GCM_SHA256', ecdhCurve: 'X25519',
        ...(algorithm === 'server-context'
            ? { cert: pki.read(`${folder}/server-2.pem`), key: pki.read(`${folder}/server.key`) }
            : { ca: pki.read(`${folder}/root.pem`) }),
    };
    return repeatable(() => tls.createSecureContext(options), () => CHECKED);
}

const PEM = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

// The roots of a client's context. A context does not say how many it has, so the answer counts what can be parsed.
function bundle(algorithm, op, { message: ca }) {
    return repeatable(() => tls.createSecureContext({ ca }), () => {
        const count = Buffer.alloc(4);
        count.writeUInt32BE(ca.toString('latin1').match(PEM).map((pem) => new crypto.X509Certificate(pem)).length);
        return count;
    });
}

function certificate(algorithm, op, { message: der }) {
    return repeatable(() => new crypto.X509Certificate(der), ({ serialNumber }) => Buffer.from(serialNumber, 'hex'));
}
