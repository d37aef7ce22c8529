#!/usr/bin/env node
// The worker for Node: the OpenSSL that is built into it, called through node:crypto. Without arguments it answers
// requests on standard input (docs/protocol.md).

import { createInterface } from 'node:readline';

import { Desk } from './desk.mjs';
import { startAnew } from './switches.mjs';

const HELP = `A worker of tlstax: measures node:crypto. It is started by tlstax, not by hand.

Usage:
  (no arguments)          answer requests on standard input, one JSON object per line; see docs/protocol.md
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
    const isHelp = args.length === 1 && args[0] === '--help';
    (isHelp ? process.stdout : process.stderr).write(HELP);
    return isHelp ? 0 : 2;
}

const code = await main(process.argv.slice(2));
// What was written last must be out; then nothing is waited for.
process.stdout.write('', () => process.exit(code));
