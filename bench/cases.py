"""Cases as the protocol and the documents have them, for the benches that ask workers themselves."""

TLS = {"version": "TLSv1.3", "suite": "TLS_AES_128_GCM_SHA256", "group": "X25519", "key": "ecdsa-p256"}
PRIMITIVE = {"kind": "primitive", "size": 0, "pattern": "tls"}
VERIFY = {**PRIMITIVE, "algorithm": "ecdsa-p256", "op": "verify"}
SIGN = {**PRIMITIVE, "algorithm": "rsa-2048", "op": "sign"}
ENCRYPT = {**PRIMITIVE, "algorithm": "aes-128-gcm", "op": "encrypt", "size": 16384}
DIGEST = {**PRIMITIVE, "algorithm": "sha256", "op": "digest", "size": 16384}
CREATE = {**PRIMITIVE, "algorithm": "server-context", "op": "create"}
FULL = {"kind": "handshake", **TLS, "chain": 2, "resumption": "full", "mutual": False}
PSK = {**FULL, "resumption": "psk"}
BULK = {"kind": "bulk", **TLS, "direction": "download", "record": 16384, "write": 16384, "buffer": 262144}
