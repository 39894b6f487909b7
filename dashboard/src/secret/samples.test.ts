import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hmacHex } from './signature/hmac.ts';
import { verifyInPython, verifyInTypescript } from './samples.ts';

const HEADERS = { timestamp: 'X-Service-Timestamp', signature: 'X-Service-Signature' };
const SECRET = 'whsec_bm90LWEtc2VjcmV0LWJ1dC1hLXZlY3Rvci1vZi0zMg';
const BODY = '{"id":"del_1","context":{"symbol":"NRTH"},"data":{"epsEstimate":1.20}}';
/** The samples read the system clock, so the test data must be signed with the current time. */
const NOW = String(Math.floor(new Date().getTime() / 1000));

const CASES = [
  { name: 'valid', timestamp: NOW, between: '', accepted: true },
  { name: 'made with a dot separator', timestamp: NOW, between: '.', accepted: false },
  { name: 'an hour old', timestamp: String(Number(NOW) - 3_600), between: '', accepted: false },
];

test.each(CASES)(
  'accepts only a valid signature in the TypeScript sample, given one that is $name',
  async (testCase) => {
    const args = await argsOf(testCase);
    const call = `
const [secret, timestamp, body, signature] = process.argv.slice(2);
const headers = new Headers({ '${HEADERS.timestamp}': timestamp, '${HEADERS.signature}': signature });
console.log(isSigned(secret, headers, Buffer.from(body)));`;
    const output = run(
      process.execPath,
      'check.mts',
      `${verifyInTypescript(HEADERS)}${call}`,
      args,
    );
    expect(output).toBe(String(testCase.accepted));
  },
);

test.each(CASES)(
  'accepts only a valid signature in the Python sample, given one that is $name',
  async (testCase) => {
    const args = await argsOf(testCase);
    const call = `

import sys
secret, timestamp, body, signature = sys.argv[1:]
print(is_signed(secret, timestamp, body.encode(), signature))`;
    const output = run('python3', 'check.py', `${verifyInPython(HEADERS)}${call}`, args);
    expect(output).toBe(testCase.accepted ? 'True' : 'False');
  },
);

async function argsOf(request: { timestamp: string; between: string }): Promise<string[]> {
  const { timestamp, between } = request;
  const digest = await hmacHex(SECRET, `${timestamp}${between}${BODY}`);
  return [SECRET, timestamp, BODY, `sha256=${digest}`];
}

function run(program: string, name: string, text: string, args: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'sample-'));
  try {
    const file = join(folder, name);
    writeFileSync(file, text);
    return execFileSync(program, [file, ...args], { encoding: 'utf8' }).trim();
  } finally {
    rmSync(folder, { recursive: true });
  }
}
