// Answers requests, one after the other.

import { Pki, Unsupported, operationsOf } from './inputs.mjs';
import { Job, claims } from './job.mjs';
import { without } from './switches.mjs';

const PROTOCOL = 2;

const NO_CONNECTIONS = 'this worker measures node:crypto and makes no connections: node:tls issues two tickets in ' +
    'every full handshake of TLS 1.3, and cannot be told to issue none';

// A failure, and the stage at which it happened.
class Failure extends Error {
    constructor(stage, message) {
        super(message);
        this.stage = stage;
    }
}

export class Desk {
    #pki;
    #jobs = new Map();

    // The answer to one line; none to the last one.
    answer(line) {
        let slot = 0;
        try {
            const request = parse(line);
            slot = Number.isInteger(request.slot) ? request.slot : 0;
            return this.#act(request, slot);
        } catch (error) {
            const { stage = 'prepare', message } = error;
            if (error instanceof Unsupported) return { is: 'unsupported', slot, reason: message };
            return { is: 'failed', slot, stage, message: message.split('\n')[0] };
        }
    }

    #act(request, slot) {
        switch (request.do) {
        case 'hello':
            this.#pki = new Pki(request.pki);
            return hello(this.#pki);
        case 'prepare': {
            this.#jobs.delete(slot);
            const job = this.#prepare(request);
            this.#jobs.set(slot, job);
            return { is: 'ready', slot, ...job.proof };
        }
        case 'run': return { is: 'sampled', slot, ...this.#run(request, slot) };
        case 'usage': throw new Failure('run', 'only a server is asked what it has used');
        case 'release':
            this.#jobs.delete(slot);
            return { is: 'released', slot };
        case 'bye': return undefined;
        default: throw new Failure('prepare', `not a message of protocol ${PROTOCOL}: ${request.do}`);
        }
    }

    #prepare({ kind, op, algorithm, size, pattern, threads = 1 }) {
        if (this.#pki === undefined) throw new Failure('prepare', 'the first request must be hello');
        if (kind !== 'primitive') throw new Unsupported(NO_CONNECTIONS);
        if (!operationsOf(algorithm).includes(op)) throw new Unsupported(`there is no operation ${op} of ${algorithm}`);
        if (pattern !== 'tls') throw new Unsupported('only the OpenSSL family has the call pattern of openssl speed');
        if (threads !== 1) throw new Unsupported('JavaScript runs in one thread; this worker starts no others');
        if (!Number.isInteger(size) || size < 0) throw new Failure('prepare', 'a primitive needs a size');
        return new Job(algorithm, op, size, this.#pki);
    }

    #run({ iterations, warmup, part = 0 }, slot) {
        const job = this.#jobs.get(slot);
        if (job === undefined) throw new Failure('run', 'no case is prepared in this slot');
        try {
            return job.run(iterations, warmup, part);
        } catch (error) {
            throw new Failure('run', error.message);
        }
    }
}

function parse(line) {
    let request;
    try {
        request = JSON.parse(line);
    } catch {
        request = undefined;
    }
    if (typeof request !== 'object' || request === null) {
        throw new Failure('prepare', `not a message of protocol ${PROTOCOL}: ${line.slice(0, 200)}`);
    }
    return request;
}

function hello(pki) {
    return {
        is: 'hello', protocol: PROTOCOL, family: 'node',
        version: `Node ${process.versions.node} with OpenSSL ${process.versions.openssl}`,
        build: `V8 ${process.versions.v8}; CPU time of a batch is that of all threads of the process, V8's helpers among ` +
            'them; a part of it is timed by what elapsed',
        // node:crypto does not tell which features of the CPU its OpenSSL has found.
        cpu: '',
        primitives: claims(pki), patterns: ['tls'], versions: [], suites: [], groups: [], keys: [], resumptions: [],
        without: without(),
    };
}
