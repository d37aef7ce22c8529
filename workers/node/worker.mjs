#!/usr/bin/env node
// The worker for Node: the OpenSSL that is built into it, called through node:crypto. Without arguments it answers
// requests on standard input (docs/protocol.md); with --conformance PKI_DIR it checks that Node does what is claimed.

import { createInterface } from 'node:readline';

import { conformance } from './conformance.mjs';
import { Desk } from './desk.mjs';
import { startAnew } from './switches.mjs';

const HELP = `A worker of tlstax: measures node:crypto. It is started by tlstax, not by hand.

Usage:
  (no arguments)          answer requests on standard input, one JSON object per line; see docs/protocol.md
  --conformance PKI_DIR   check that Node does what is claimed; exit code 1 if it does not
  --help                  print this
`;

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

async function converse() {
    const desk = new Desk();
    for await (const line of createInterface({ input: process.stdin })) {
        if (line.trim() === '') continue;
        const answer = desk.answer(line);
        if (answer === undefined) return;
        say(answer);
    }
}

async function main(args) {
    const refusal = startAnew(args);
    if (refusal !== undefined) {
        if (args.length === 0) say({ is: 'unsupported', slot: 0, reason: refusal });
        else process.stderr.write(`${refusal}\n`);
        return 1;
    }
    if (args.length === 0) {
        await converse();
        return 0;
    }
    if (args.length === 2 && args[0] === '--conformance') {
        return conformance(args[1], (line) => process.stdout.write(`${line}\n`)) === 0 ? 0 : 1;
    }
    const isHelp = args.length === 1 && args[0] === '--help';
    (isHelp ? process.stdout : process.stderr).write(HELP);
    return isHelp ? 0 : 2;
}

const code = await main(process.argv.slice(2));
// What was written last must be out; then nothing is waited for.
process.stdout.write('', () => process.exit(code));
