// The suite that must pass before anything is timed. The checks are those of
// crates/worker/src/conformance/primitives.rs.

import { Desk, hello } from './desk.mjs';
import { Pki, Unsupported, algorithms, inputs, isSized, operationsOf } from './inputs.mjs';
import { checkKnownAnswers } from './job.mjs';
import { operation } from './primitives.mjs';

// Sizes around which libraries change their code path: one block, a packet, a whole record.
const SIZES = [16, 1350, 16384];

// Writes one line for each check and one for all; returns how many failed.
export function conformance(folder, write) {
    const pki = new Pki(folder);
    const count = { ok: 0, FAIL: 0, skip: 0 };
    const check = (name, act) => {
        const [outcome, why] = attempt(act);
        count[outcome] += 1;
        write(`${outcome.padEnd(6)}${name}${why === undefined ? '' : `: ${why}`}`);
    };
    const claims = hello(pki);
    write(`${claims.version} (${claims.family})`);
    for (const algorithm of algorithms) {
        for (const op of operationsOf(algorithm)) {
            const name = `${algorithm}:${op}`;
            if (!claims.primitives.includes(name)) {
                check(`unclaimed ${name}`, () => operation(algorithm, op, isSized(algorithm) ? 64 : 0, pki));
                continue;
            }
            check(`known answer ${name}`, () => checkKnownAnswers(algorithm, op, pki));
            check(`runs ${name} tls`, () => runs(algorithm, op, folder));
            if (op === 'verify') check(`forgery ${name}`, () => refusesForgery(algorithm, pki));
            if (op === 'decrypt' && inputs(algorithm, op, 64, pki).knownAnswer !== undefined) {
                check(`decrypts ${name}`, () => decrypts(algorithm, pki));
            }
        }
    }
    check('conversation', () => conversation(folder));
    write(`${count.ok} passed, ${count.FAIL} failed, ${count.skip} skipped`);
    return count.FAIL;
}

function attempt(act) {
    try {
        act();
        return ['ok'];
    } catch (error) {
        return [error instanceof Unsupported ? 'skip' : 'FAIL', error.message];
    }
}

const must = (good, otherwise) => {
    if (!good) throw new Error(otherwise);
};

// The whole way of a case, at several sizes, through the conversation.
function runs(algorithm, op, folder) {
    const ask = conversationWith(folder);
    for (const size of isSized(algorithm) ? SIZES : [0]) {
        const ready = ask({ do: 'prepare', slot: 1, kind: 'primitive', algorithm, op, size, pattern: 'tls' });
        must(ready.is === 'ready', ready.message ?? ready.reason);
        const sampled = ask({ do: 'run', slot: 1, iterations: 5, warmup: 1 });
        must(sampled.is === 'sampled', sampled.message);
        const { iterations, bytes, wall_ns: wall } = sampled;
        must(iterations === 5 && bytes === 5 * size && wall > 0, 'the sample is not of this batch');
        must(sampled.answer === ready.answer, 'the answer is another one later');
    }
}

function decrypts(algorithm, pki) {
    for (const size of SIZES) {
        const { message } = inputs(algorithm, 'decrypt', size, pki);
        must(operation(algorithm, 'decrypt', size, pki).answer().equals(message), `not the message of ${size} bytes`);
    }
}

// A signature with one bit changed must not pass.
function refusesForgery(algorithm, pki) {
    const forged = inputs(algorithm, 'verify', 0, pki);
    forged.signature[forged.signature.length - 1] ^= 1;
    let passed = true;
    try {
        operation(algorithm, 'verify', 0, pki, forged).once();
    } catch {
        passed = false;
    }
    must(!passed, 'a signature with one bit changed passes');
}

function conversationWith(folder) {
    const desk = new Desk();
    desk.answer(JSON.stringify({ do: 'hello', protocol: 1, pki: folder }));
    return (request) => desk.answer(typeof request === 'string' ? request : JSON.stringify(request));
}

function conversation(folder) {
    const early = new Desk().answer('{"do":"prepare","slot":4,"kind":"primitive"}');
    must(early.is === 'failed' && early.slot === 4, 'a case before hello is not refused');
    const ask = conversationWith(folder);
    const is = (kind, request) => {
        const answer = ask(request);
        must(answer?.is === kind, `${JSON.stringify(request)} is answered with ${JSON.stringify(answer)}`);
    };
    is('failed', 'what?');
    is('failed', { do: 'run', slot: 3, iterations: 1, warmup: 0 });
    is('failed', { do: 'reference' });
    is('unsupported', { do: 'prepare', slot: 1, kind: 'handshake' });
    is('unsupported', { do: 'prepare', slot: 1, kind: 'primitive', algorithm: 'rot13', op: 'encrypt', pattern: 'tls' });
    const digest = { do: 'prepare', slot: 1, kind: 'primitive', algorithm: 'sha256', op: 'digest', size: 64 };
    is('unsupported', { ...digest, pattern: 'speed' });
    is('unsupported', { ...digest, pattern: 'tls', threads: 2 });
    is('ready', { ...digest, pattern: 'tls' });
    is('released', { do: 'release', slot: 1 });
    is('failed', { do: 'run', slot: 1, iterations: 1, warmup: 0 });
    must(ask({ do: 'bye' }) === undefined, 'bye is answered');
}
