// Doing without features of the CPU. OpenSSL reads OPENSSL_ia32cap before Node begins, so Node is started anew with it.
// node:crypto does not tell what OpenSSL has found; what came of it is shown by what operations cost.

import crypto from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const WANTED = 'TLSTAX_WITHOUT';
const APPLIED = 'TLSTAX_WITHOUT_APPLIED';

// Bits of the two words: CPUID leaf 1, EDX and ECX, and leaf 7, EBX and ECX. What cannot exist without a feature goes
// with it. Vector AES and AVX-512 have bits too, but too little effect on any operation of node:crypto to be shown.
const [PCLMULQDQ, AESNI, SHA, VAES, VPCLMULQDQ] = [33n, 57n, 29n, 41n, 42n].map((bit) => 1n << bit);
const BITS = { aes: [AESNI, VAES], clmul: [PCLMULQDQ, VPCLMULQDQ], sha: [0n, SHA] };

// Starts Node anew if features are to be done without, and ends as that does. Returns why it cannot be; nothing if
// there is nothing to do.
export function startAnew(args) {
    const names = (process.env[WANTED] ?? '').split(',').map((name) => name.trim()).filter((name) => name !== '');
    if (names.length === 0 || process.env[APPLIED] !== undefined) return undefined;
    const words = [0n, 0n];
    for (const name of names) {
        if (process.arch !== 'x64' || !(name in BITS)) {
            return `node:crypto has no switch for '${name}' at run time whose effect could be shown`;
        }
        BITS[name].forEach((bits, word) => { words[word] |= bits; });
    }
    // Both words, since OpenSSL takes a missing one for nothing at all.
    const mask = words.map((word) => `~0x${word.toString(16)}`).join(':');
    const { status } = spawnSync(process.execPath, [fileURLToPath(new URL('worker.mjs', import.meta.url)), ...args],
        { stdio: 'inherit', env: { ...process.env, OPENSSL_ia32cap: mask, [APPLIED]: '1' } });
    return process.exit(status ?? 1);
}

// Enough for what a call costs in JavaScript to be little; larger buffers cost more to allocate than to encrypt.
const LENGTH = 64 * 1024;
const READINGS = 12;
const CONFIRMED = 3;

// The features that OpenSSL does without, or that the CPU lacks. SHA-512 uses none of them, so it is the measure for
// the rest. Each of the others is three to ten times slower without its instruction; the thresholds lie in the middle.
export function without() {
    if (process.arch !== 'x64') return [];
    // A busy machine can make anything slow once; what is slow each time is.
    let names = slow();
    for (let again = 0; again < CONFIRMED && names.length > 0; again += 1) {
        const now = slow();
        names = names.filter((name) => now.includes(name));
    }
    return names;
}

function slow() {
    const data = Buffer.alloc(LENGTH);
    const [key, iv] = [crypto.createSecretKey(Buffer.alloc(16)), Buffer.alloc(16)];
    const cost = readings({
        sha512: () => crypto.createHash('sha512').update(data).digest(),
        sha256: () => crypto.createHash('sha256').update(data).digest(),
        counter: () => crypto.createCipheriv('aes-128-ctr', key, iv).update(data),
        ghash: () => crypto.createCipheriv('aes-128-gcm', key, iv.subarray(0, 12)).setAAD(data).final(),
    });
    const found = {
        aes: cost.counter > cost.sha512,
        clmul: cost.ghash > 0.5 * cost.sha512,
        sha: cost.sha256 > 0.9 * cost.sha512,
    };
    return Object.keys(BITS).filter((name) => found[name]);
}

// The shortest of several readings of each operation, taken in turns.
function readings(operations) {
    const shortest = {};
    for (let reading = 0; reading < READINGS; reading += 1) {
        for (const [name, operation] of Object.entries(operations)) {
            const start = process.hrtime.bigint();
            operation();
            const took = Number(process.hrtime.bigint() - start);
            shortest[name] = Math.min(shortest[name] ?? Infinity, took);
        }
    }
    return shortest;
}
