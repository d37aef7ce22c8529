// The fixed inputs of primitives, the same bytes for every library. What they are is told in
// crates/worker/src/inputs.rs.

import { readFileSync } from 'node:fs';

// What independent implementations compute from them.
const vectors = JSON.parse(
    readFileSync(new URL('../../crates/spec/src/known_answers.json', import.meta.url), 'utf8'));

// The answer of an operation whose output is random and passed the library's own inverse.
export const CHECKED = Buffer.from('checked by inverse');

// Something that Node does not have: a hole in the matrix, and no failure.
export class Unsupported extends Error {}

// The operations of each algorithm of the vocabulary, by class.
const SIZED = { aead: ['encrypt', 'decrypt'], cipher: ['encrypt', 'decrypt'], hash: ['digest'], mac: ['mac'] };
const OPERATIONS = {
    ...SIZED, kdf: ['derive'], signature: ['sign', 'verify'], agreement: ['keygen', 'derive'],
    kem: ['keygen', 'encapsulate', 'decapsulate'], context: ['create'], bundle: ['load'], certificate: ['parse'],
};

const CLASSES = {
    aead: ['aes-128-gcm', 'aes-256-gcm', 'aes-128-ccm', 'chacha20-poly1305'],
    cipher: ['aes-128-cbc', 'aes-256-cbc', 'aes-128-cbc-hmac-sha1', 'aes-256-cbc-hmac-sha1',
        'aes-128-cbc-hmac-sha256', 'aes-256-cbc-hmac-sha256', '3des-cbc', 'rc4'],
    hash: ['md5', 'sha1', 'sha256', 'sha384', 'sha512'],
    mac: ['hmac-sha1', 'hmac-sha256', 'hmac-sha384'],
    kdf: ['hkdf-sha256', 'hkdf-sha384'],
    signature: ['rsa-2048', 'rsa-3072', 'rsa-4096', 'ecdsa-p256', 'ecdsa-p384', 'ed25519', 'ml-dsa-44', 'ml-dsa-65',
        'ml-dsa-87', 'slh-dsa-sha2-128f'],
    agreement: ['ecdh-p256', 'ecdh-p384', 'x25519'],
    kem: ['ml-kem-768'],
    context: ['server-context', 'client-context'],
    bundle: ['ca-bundle'],
    certificate: ['certificate'],
};

const classes = new Map(Object.entries(CLASSES).flatMap(([name, all]) => all.map((algorithm) => [algorithm, name])));

export const algorithms = [...classes.keys()];
export const classOf = (algorithm) => classes.get(algorithm);
export const operationsOf = (algorithm) => OPERATIONS[classOf(algorithm)] ?? [];
export const isSized = (algorithm) => classOf(algorithm) in SIZED;

// The length that a message must be a multiple of.
const block = (algorithm) => ({ 'aes-128-cbc': 16, 'aes-256-cbc': 16, '3des-cbc': 8 })[algorithm] ?? 1;

// The sizes at which the answer is known.
export function knownSizes(algorithm) {
    if (!isSized(algorithm)) return [0];
    return block(algorithm) === 1 ? [64, 61] : [64];
}

const fixed = (length, step, start) => Buffer.from(Uint8Array.from({ length }, (_, at) => at * step + start));

export function inputs(algorithm, op, size, pki) {
    const vector = vectors[`${algorithm}:${op}`] ?? {};
    const hex = (text) => Buffer.from(text ?? '', 'hex');
    const message = messageOf(algorithm, size, pki);
    return {
        key: fixed(64, 29, 11),
        macKey: fixed(64, 53, 7),
        iv: fixed(16, 19, 5),
        additionalData: additionalData(message.length),
        message,
        signature: hex(vector.signature),
        privateKey: hex(vector.private_key),
        peer: hex(vector.peer),
        pki,
        // Absent where the output is random, or the size is none of the known ones.
        knownAnswer: op === 'decrypt' ? message : vector.answers?.[size] && hex(vector.answers[size]),
    };
}

function messageOf(algorithm, size, pki) {
    switch (classOf(algorithm)) {
    case 'bundle': return pki.read('ca-bundle.pem');
    case 'certificate': return pki.read('certificate.der');
    case 'signature': return signedContent();
    default: return fixed(Math.ceil(size / block(algorithm)) * block(algorithm), 167, 13);
    }
}

// RFC 8446 4.4.3: what a server signs.
const signedContent = () =>
    Buffer.concat([Buffer.alloc(64, ' '), Buffer.from('TLS 1.3, server CertificateVerify\0'), fixed(32, 31, 17)]);

function additionalData(length) {
    const data = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 23, 3, 3, 0, 0]);
    data.writeUInt16BE(Math.min(length, 0xffff), 11);
    return data;
}

// The folder of test certificates and keys; a file is read once.
export class Pki {
    #folder;
    #files = new Map();

    constructor(folder) { this.#folder = folder; }

    read(name) {
        if (!this.#files.has(name)) this.#files.set(name, readFileSync(`${this.#folder}/${name}`));
        return this.#files.get(name);
    }
}
