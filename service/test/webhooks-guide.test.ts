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

/** Runs the samples from the webhooks guide exactly as printed. */

const ROOT = new URL('../../', import.meta.url);
const GUIDE = readFileSync(new URL('docs/webhooks.md', ROOT), 'utf8');
const SECRET = 'whsec_bm90LWEtc2VjcmV0LWJ1dC1vZi10aGUtZ3VpZGUtMzI';
const BODY =
  '{"id":"del_1","created_at":"2026-11-20T14:30:00Z","template_id":"earnings_schedule",' +
  '"event_type":"earnings_schedule.changed","context":{"symbol":"NRTH"},"data":{"eps":null},' +
  '"changed_fields":["eps"]}';

const folder = mkdtempSync(join(tmpdir(), 'afterbell-guide-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the only code block in a language that contains the given text. */
function sample(language: string, snippet: string): string {
  const blocks = [...GUIDE.matchAll(/^```(\w+)\n(.*?)^```/gms)];
  const matching = blocks.filter(
    ([, name, code = '']) => name === language && code.includes(snippet),
  );
  expect(matching).toHaveLength(1);
  return matching[0]?.[2] ?? '';
}

function signatureNow(body: string): { timestamp: string; signature: string } {
  const timestamp = formatTimestamp(Date.now());
  return { timestamp, signature: sign({ timestamp, body }, SECRET) };
}

function isInstalled(program: string): boolean {
  if ((process.env['CI'] ?? '') !== '') return true;
  return spawnSync(program, ['--help']).error === undefined;
}

test('accepts signed deliveries and responds with 401 to forged ones in the Fetch API sample', async () => {
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
    const response = await receive(request, SECRET, async ({ id }) => void processed.push(id));
    statuses.push(response.status);
  }
  expect([statuses, processed]).toEqual([[200, 401], ['del_1']]);
});

test.skipIf(!isInstalled('python3'))('accepts only valid signatures in the Python sample', () => {
  const { timestamp, signature } = signatureNow(BODY);
  const cases = [
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
  const run = spawnSync('python3', ['-c', script], { input: JSON.stringify(cases) });
  const output = run.stdout.toString().trim().split('\n');
  expect([run.stderr.toString(), output]).toEqual(['', ['True', ...Array(4).fill('False')]]);
});

test.skipIf(!isInstalled('openssl'))(
  'prints the hexadecimal signature in the sample for manual verification',
  () => {
    writeFileSync(join(folder, 'body.json'), BODY);
    const { timestamp, signature } = signatureNow(BODY);
    const env = { PATH: process.env['PATH'], TIMESTAMP: timestamp, WEBHOOK_SECRET: SECRET };
    const run = spawnSync('sh', ['-c', sample('sh', 'openssl')], { cwd: folder, env });
    expect(run.stdout.toString()).toContain(signature.slice('sha256='.length));
  },
);

test(
  'stores a delivery after running the commands from the webhooks guide on an empty setup',
  { timeout: 240_000 },
  async () => {
    const data = scratchFolder();
    const receiverPort = await freePort();
    const env = { WEBHOOK_DEV_ALLOW: `127.0.0.1:${receiverPort}`, SANDBOX_SYMBOLS: '200' };
    const service = await startAfterbell(['--data-dir', data], env);
    onTestFinished(() => void service.child.kill('SIGKILL'));
    const webhooks = async (...args: string[]) => {
      const run = await runAfterbell(['--data-dir', data, 'webhooks', ...args, '--json'], env);
      if (run.code !== 0) throw new Error(run.stderr);
      return JSON.parse(run.stdout) as never;
    };
    const url = `http://127.0.0.1:${receiverPort}/`;
    const created: { id: string; secret: string } = await webhooks(
      'add',
      url,
      '--customer',
      'Demo',
    );
    const lines = await startReceiver(receiverPort, created.secret);
    const symbol = await someSymbol(service);
    const subscribed = await webhooks('subscribe', created.id, symbol, 'not-a-symbol-at-all');
    expect(subscribed).toMatchObject({ added: 1, refused: ['not-a-symbol-at-all'] });
    const sent: { id: string; symbol: string } = await webhooks('test', created.id);
    expect(sent.symbol).toBe(symbol);
    await expect
      .poll(async () => (await webhooks('deliveries', created.id)) as unknown, {
        timeout: 60_000,
        interval: 1_000,
      })
      .toMatchObject([{ id: sent.id, state: 'delivered', responseStatus: 200, test: true }]);
    await expect
      .poll(() => lines.filter((line) => line.startsWith(`stored ${symbol} `)))
      .toHaveLength(1);
    const changed = await runAfterbell(
      ['--data-dir', data, 'sandbox', 'change', symbol, '--field', 'date'],
      env,
    );
    expect(changed.stderr).toBe('');
    expect(changed.stdout).toMatch(new RegExp(`^${symbol} date: \\S+ → \\S+\n$`));
    await expect
      .poll(() => lines.filter((line) => line.startsWith(`stored ${symbol} `)), { timeout: 60_000 })
      .toEqual([expect.stringMatching(/\[test\]$/), expect.stringMatching(/\(date\)$/)]);
    expect(await service.stop()).toBe(0);
  },
);

/** Returns a port that was free a moment ago. */
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

/** Starts the receiver from the guide. Returns the lines that it prints. */
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

/**
 * Returns a symbol with a report on the day that the output suggests, since there are no reports
 * around some holidays.
 */
async function someSymbol({ line }: Awaited<ReturnType<typeof startAfterbell>>): Promise<string> {
  const [, url = ''] =
    /curl '(\S+calendar\/earnings\S+)'/.exec(await line(/calendar\/earnings/)) ?? [];
  // A company that reported today may have final estimates, depending on the time of day.
  const [from, to] = [2, 9].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
  const days = `from=${from?.slice(0, 10)}&to=${to?.slice(0, 10)}`;
  const text = await (await fetch(url.replace('date=today', days))).text();
  const symbol = /"symbol":"([A-Z.]+)"/.exec(text)?.[1];
  if (symbol === undefined) throw new Error(`no report: ${text}`);
  return symbol;
}
