import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { sign, formatTimestamp } from '../src/webhooks/message/signature.ts';
import { runAfterbell, scratchFolder, startAfterbell } from './support/afterbell-process.ts';

/** What the guide to webhooks shows is run as it stands there. */

const ROOT = new URL('../../', import.meta.url);
const GUIDE = readFileSync(new URL('docs/webhooks.md', ROOT), 'utf8');
const SECRET = 'whsec_bm90LWEtc2VjcmV0LWJ1dC1vZi10aGUtZ3VpZGUtMzI';
const BODY =
  '{"id":"del_1","created_at":"2026-11-20T14:30:00Z","template_id":"earnings_schedule",' +
  '"event_type":"earnings_schedule.changed","context":{"symbol":"NRTH"},"data":{"eps":null},' +
  '"changed_fields":["eps"]}';

const folder = mkdtempSync(join(tmpdir(), 'afterbell-guide-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The one block of that language that holds a text. */
function sample(language: string, holding: string): string {
  const blocks = [...GUIDE.matchAll(/^```(\w+)\n(.*?)^```/gms)];
  const found = blocks.filter(([, name, code = '']) => name === language && code.includes(holding));
  expect(found).toHaveLength(1);
  return found[0]?.[2] ?? '';
}

function signatureNow(body: string): { timestamp: string; signature: string } {
  const timestamp = formatTimestamp(Date.now());
  return { timestamp, signature: sign({ timestamp, body }, SECRET) };
}

function isThere(program: string): boolean {
  if ((process.env['CI'] ?? '') !== '') return true;
  return spawnSync(program, ['--help']).error === undefined;
}

test('the sample on the Fetch API takes what is signed and answers 401 to the rest', async () => {
  const sdk = new URL('sdk/src/index.ts', ROOT).href;
  const code = sample('ts', 'verifyWebhook').replaceAll("'@afterbell/sdk'", `'${sdk}'`);
  const file = join(folder, 'receive.ts');
  writeFileSync(file, code);
  const { receive } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
    receive: (
      request: Request,
      secret: string,
      process: (delivery: { id: string }) => Promise<void>,
    ) => Promise<Response>;
  };
  const processed: string[] = [];
  const { timestamp, signature } = signatureNow(BODY);
  const headers = {
    'X-Service-Delivery-Id': 'del_1',
    'X-Service-Timestamp': timestamp,
    'X-Service-Signature': signature,
  };
  const statuses: number[] = [];
  for (const body of [BODY, BODY.replace('NRTH', 'SRTH')]) {
    const request = new Request('https://hooks.example/', { method: 'POST', headers, body });
    const answer = await receive(request, SECRET, async ({ id }) => void processed.push(id));
    statuses.push(answer.status);
  }
  expect([statuses, processed]).toEqual([[200, 401], ['del_1']]);
});

test.skipIf(!isThere('python3'))('the sample in Python tells right from wrong', () => {
  const { timestamp, signature } = signatureNow(BODY);
  const asked = [
    [SECRET, timestamp, BODY, signature],
    [SECRET, timestamp, `${BODY} `, signature],
    ['whsec_another', timestamp, BODY, signature],
    [SECRET, String(Number(timestamp) - 301), BODY, signature],
    [SECRET, timestamp, BODY, `${signature}é`],
  ];
  const script = `${sample('python', 'is_signed')}
import json, sys
for secret, timestamp, body, signature in json.load(sys.stdin):
    print(is_signed(secret, timestamp, body.encode(), signature))
`;
  const run = spawnSync('python3', ['-c', script], { input: JSON.stringify(asked) });
  const said = run.stdout.toString().trim().split('\n');
  expect([run.stderr.toString(), said]).toEqual(['', ['True', ...Array(4).fill('False')]]);
});

test.skipIf(!isThere('openssl'))('the sample by hand prints the digits of the signature', () => {
  writeFileSync(join(folder, 'body.json'), BODY);
  const { timestamp, signature } = signatureNow(BODY);
  const env = { PATH: process.env['PATH'], TIMESTAMP: timestamp, WEBHOOK_SECRET: SECRET };
  const run = spawnSync('sh', ['-c', sample('sh', 'openssl')], { cwd: folder, env });
  expect(run.stdout.toString()).toContain(signature.slice('sha256='.length));
});

test(
  'from nothing to a stored delivery, by the commands of the guide',
  { timeout: 240_000 },
  async () => {
    const data = scratchFolder();
    const receiverPort = await freePort();
    const env = { WEBHOOK_DEV_ALLOW: `127.0.0.1:${receiverPort}` };
    const service = await startAfterbell(['--data-dir', data], env);
    onTestFinished(() => void service.child.kill('SIGKILL'));
    const webhooks = async (...args: string[]) => {
      const run = await runAfterbell(['--data-dir', data, 'webhooks', ...args, '--json'], env);
      if (run.code !== 0) throw new Error(run.stderr);
      return JSON.parse(run.stdout) as never;
    };
    const url = `http://127.0.0.1:${receiverPort}/`;
    const made: { id: string; secret: string } = await webhooks('add', url, '--customer', 'Demo');
    const lines = await startReceiver(receiverPort, made.secret);
    const symbol = await someSymbol(service);
    const subscribed = await webhooks('subscribe', made.id, symbol, 'not-a-symbol-at-all');
    expect(subscribed).toMatchObject({ added: 1, refused: ['not-a-symbol-at-all'] });
    const sent: { id: string; symbol: string } = await webhooks('test', made.id);
    expect(sent.symbol).toBe(symbol);
    await expect
      .poll(async () => (await webhooks('deliveries', made.id)) as unknown, {
        timeout: 60_000,
        interval: 1_000,
      })
      .toMatchObject([{ id: sent.id, state: 'delivered', responseStatus: 200, test: true }]);
    await expect
      .poll(() => lines.filter((line) => line.startsWith(`stored ${symbol} `)))
      .toHaveLength(1);
    expect(await service.stop()).toBe(0);
  },
);

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return address.port;
}

/** The receiver of the guide, listening; the lines that it prints. */
async function startReceiver(port: number, secret: string): Promise<readonly string[]> {
  const file = new URL('examples/node-receiver/receiver.ts', ROOT).pathname;
  const child = spawn(process.execPath, [file], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], PORT: String(port), WEBHOOK_SECRET: secret },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  await expect.poll(() => lines).toContain(`listening on ${port}`);
  return lines;
}

/** Of a report on the day that it says to ask for: nobody reports around some holidays. */
async function someSymbol({ line }: Awaited<ReturnType<typeof startAfterbell>>): Promise<string> {
  const [, url = ''] =
    /curl '(\S+calendar\/earnings\S+)'/.exec(await line(/calendar\/earnings/)) ?? [];
  const text = await (await fetch(url)).text();
  const symbol = /"symbol":"([A-Z.]+)"/.exec(text)?.[1];
  if (symbol === undefined) throw new Error(`no report: ${text}`);
  return symbol;
}
