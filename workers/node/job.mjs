// One prepared primitive: proved before it is timed, and warm.

import { algorithms, CHECKED, inputs, knownSizes, operationsOf } from './inputs.mjs';
import { has, operation } from './primitives.mjs';

// Everything that Node has, as `algorithm:operation`.
export const claims = (pki) =>
    algorithms.flatMap((algorithm) => operationsOf(algorithm)
        .filter((op) => has(algorithm, op, pki))
        .map((op) => `${algorithm}:${op}`));

export class Job {
    #size;
    #operation;

    constructor(algorithm, op, size, pki) {
        checkKnownAnswers(algorithm, op, pki);
        this.#size = size;
        this.#operation = operation(algorithm, op, size, pki);
        const answer = tryOut(this.#operation);
        warm(this.#operation);
        this.proof = {
            resumed: 0, handshakes: 0, early: 0, client_bytes: 0, server_bytes: 0,
            answer: answer.subarray(-16).toString('hex'),
        };
    }

    // Runs a batch, of which what each part of so many iterations took is told too; 0: only the whole.
    run(iterations, warmup, part) {
        repeat(this.#operation, warmup);
        // Numbers in a place that is there before: the clock's big integers would be garbage.
        const marks = new Float64Array(1 + (part > 0 ? Math.floor(iterations / part) : 0));
        const cpu = process.cpuUsage();
        marks[0] = performance.now();
        for (let next = 1; next < marks.length; next += 1) {
            repeat(this.#operation, part);
            marks[next] = performance.now();
        }
        repeat(this.#operation, iterations - (marks.length - 1) * part);
        const end = performance.now();
        const { user, system } = process.cpuUsage(cpu);
        const [start, ...ends] = Array.from(marks, nanoseconds);
        return {
            iterations, wall_ns: Math.max(nanoseconds(end) - start, 1), cpu_ns: (user + system) * 1000,
            bytes: iterations * this.#size,
            ...(ends.length > 0 && { parts_ns: ends.map((mark, at) => mark - (ends[at - 1] ?? start)) }),
            ...this.proof,
        };
    }
}

const nanoseconds = (milliseconds) => Math.round(milliseconds * 1e6);

function repeat(operation, times) {
    for (let done = 0; done < times; done += 1) operation.once();
}

// The answer, which must be the same before and after a few runs.
function tryOut(operation) {
    const before = operation.answer();
    repeat(operation, 3);
    const after = operation.answer();
    if (!before.equals(after)) {
        throw new Error(`the answer was ${before.toString('hex')} and, later, ${after.toString('hex')}`);
    }
    return before;
}

// Holds the operation against what independent implementations compute.
function checkKnownAnswers(algorithm, op, pki) {
    for (const size of knownSizes(algorithm)) {
        const answer = tryOut(operation(algorithm, op, size, pki));
        const expected = inputs(algorithm, op, size, pki).knownAnswer ?? CHECKED;
        if (!answer.equals(expected)) {
            const [is, wanted] = [answer, expected].map((bytes) => bytes.toString('hex'));
            const message = `${algorithm}:${op} of ${size} bytes gives ${is}, the known answer is ${wanted}`;
            throw Object.assign(new Error(message), { stage: 'proof' });
        }
    }
}

// V8 compiles what runs often, in several steps. Runs until four pieces of work in a row are not faster than one before
// them, or for a quarter of a second. Where nothing will be timed it need not be warm.
function warm(operation) {
    if (process.env.TLSTAX_UNTIMED !== undefined) return;
    const [enough, limit, better, patience] = [2_000_000n, 250_000_000n, 0.98, 4];
    const start = process.hrtime.bigint();
    let [times, best, unchanged] = [1, Infinity, 0];
    while (unchanged < patience && process.hrtime.bigint() - start < limit) {
        const before = process.hrtime.bigint();
        repeat(operation, times);
        const took = process.hrtime.bigint() - before;
        if (took < enough) {
            times *= 2;
            continue;
        }
        const each = Number(took) / times;
        unchanged = each < best * better ? 0 : unchanged + 1;
        best = Math.min(best, each);
    }
}
