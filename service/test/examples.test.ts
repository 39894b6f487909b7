import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deliveryHeaders, type SigningSecrets } from '../src/webhooks/message/delivery-headers.ts';
import {
  type PayloadFormat,
  renderPayload,
  serializeData,
} from '../src/webhooks/message/payload.ts';
import { sign, formatTimestamp } from '../src/webhooks/message/signature.ts';
import { templates } from '../src/webhooks/templates/registry.gen.ts';

/** Runs the example receivers as separate processes and checks the five steps they implement. */

const SECRET = 'whsec_bm90LWEtc2VjcmV0LWJ1dC1hbi1leGFtcGxlLTMy';
const NEW_SECRET = 'whsec_dGhlLW5leHQtc2VjcmV0LW9mLXRoZS1leGFtcGxlcw';
const NODE = process.execPath;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const isCi = (process.env['CI'] ?? '') !== '';

const RECEIVERS = [
  ['node:http', NODE, ['examples/node-receiver/receiver.ts']],
  ['Fastify', NODE, ['examples/fastify-receiver/receiver.ts']],
  ['Python', 'python3', ['examples/python-receiver/receiver.py']],
  // Compiling Go's standard library takes longer than all other tests in this file.
  ...(isCi || !isInstalled('go') ? [] : [['Go', buildGo(), []] as const]),
] as const;

test.each(RECEIVERS)('refuses to start the receiver on %s without a secret', (_, program, args) => {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0' };
  const given = {
    env: { ...env, WEBHOOK_SECRET: ',' },
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 20_000,
  } as const;
  const { status, error, stderr } = spawnSync(program, [...args], given);
  // Skips the test on machines without Python.
  if (error !== undefined && 'code' in error && error.code === 'ENOENT') return;
  expect([status, stderr]).toEqual([1, expect.stringContaining('set WEBHOOK_SECRET')]);
});

describe.each(RECEIVERS)('the receiver on %s', (_, program, args) => {
  const isSkipped = !isInstalled(program) && !isCi;
  let receiver: Receiver;

  beforeAll(async () => {
    if (!isSkipped) receiver = await startReceiver(program, args);
  });
  afterAll(async () => {
    if (!isSkipped) await receiver.stop();
  });

  test.skipIf(isSkipped)('stores signed deliveries and responds to them with 2xx', async () => {
    const { status } = await receiver.post(delivery('del_first', 'ACME'));
    expect(status).toBe(200);
    await expect
      .poll(() => receiver.stored('ACME'))
      .toEqual(['stored ACME 2026-11-24 (date, epsEstimate)']);
  });

  test.skipIf(isSkipped)('stores a delivery only once, even if it arrives repeatedly', async () => {
    const again = delivery('del_twice', 'TWCE');
    const answers = [await receiver.post(again), await receiver.post(again)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers.map(({ text }) => text.includes('duplicate'))).toEqual([false, true]);
    await expect.poll(() => receiver.stored('TWCE')).toHaveLength(1);
  });

  test.skipIf(isSkipped).each([
    ['an altered byte', (sent: Sent) => ({ ...sent, body: sent.body.replace('1.2', '9.2') })],
    ['a body serialized again', (sent: Sent) => ({ ...sent, body: `${sent.body}\n` })],
    ['another secret', (sent: Sent) => signed(sent, 'whsec_another')],
    ['a dot between timestamp and body', (sent: Sent) => signed(sent, SECRET, '.')],
    ['a replay of ten minutes ago', () => delivery('del_bad', 'BADD', { ageMs: 600_000 })],
    ['no signature', (sent: Sent) => without(sent, 'Signature')],
    ['no timestamp', (sent: Sent) => without(sent, 'Timestamp')],
  ])('responds with 401 to %s and stores nothing', async (_, spoil) => {
    const { status, text } = await receiver.post(spoil(delivery('del_bad', 'BADD')));
    expect([status, receiver.stored('BADD')]).toEqual([401, []]);
    // The response must not reveal how close a guessed signature was.
    expect(text).toMatch(/^\{"error": ?"the signature does not match"\}$/);
  });

  test.skipIf(isSkipped)(
    'accepts signatures from the previous secret after a rotation',
    async () => {
      const secrets = { current: NEW_SECRET, next: null, previous: SECRET };
      const { status } = await receiver.post(delivery('del_changed', 'CHNG', { secrets }));
      expect(status).toBe(200);
      await expect.poll(() => receiver.stored('CHNG')).toHaveLength(1);
    },
  );

  test.skipIf(isSkipped).each(templates.map(({ templateId }) => templateId))(
    'stores deliveries of the template %s',
    async (templateId) => {
      const symbol = templateId.toUpperCase();
      const { status } = await receiver.post(delivery(`del_${templateId}`, symbol, { templateId }));
      expect(status).toBe(200);
      await expect
        .poll(() => receiver.stored(symbol))
        .toEqual([`stored ${symbol} 2026-11-24 (date, epsEstimate)`]);
    },
  );

  test.skipIf(isSkipped)('stores a CloudEvent like a delivery in our own form', async () => {
    const sent = delivery('del_event', 'CLOD', { format: 'cloudevents' });
    expect((await receiver.post(sent)).status).toBe(200);
    await expect
      .poll(() => receiver.stored('CLOD'))
      .toEqual(['stored CLOD 2026-11-24 (date, epsEstimate)']);
  });

  test.skipIf(isSkipped)('reports that a delivery is a test', async () => {
    const sent = delivery('del_test', 'TEST');
    const headers: Sent['headers'] = [...sent.headers, ['X-Service-Test', 'true']];
    expect((await receiver.post({ ...sent, headers })).status).toBe(200);
    await expect
      .poll(() => receiver.stored('TEST'))
      .toEqual(['stored TEST 2026-11-24 (date, epsEstimate) [test]']);
  });

  test.skipIf(isSkipped)('keeps data that was sent later than a delayed delivery', async () => {
    const order = [
      ['del_newer', 20_000, {}],
      ['del_older', 30_000, {}],
      ['del_other', 40_000, { templateId: 'dividend_declared' }],
      ['del_newest', 10_000, {}],
    ] as const;
    for (const [id, ageMs, more] of order) {
      const { status } = await receiver.post(delivery(id, 'LATE', { ageMs, ...more }));
      expect(status).toBe(200);
    }
    await expect.poll(() => receiver.stored('LATE')).toHaveLength(3);
    expect(receiver.output()).toContain('kept newer LATE');
  });

  test.skipIf(isSkipped).each([
    ['templates', 'del_new', { templateId: 'weather' }],
    [
      'events of templates it knows',
      'del_other_event',
      { eventType: 'earnings_schedule.withdrawn' },
    ],
  ])('responds with 2xx to future %s and stores nothing', async (_, id, of) => {
    expect((await receiver.post(delivery(id, 'NEWT', of))).status).toBe(200);
    // Once this later delivery is stored, the first one has been processed too.
    await receiver.post(delivery(`${id}_after`, 'LATR'));
    await expect.poll(() => receiver.stored('LATR')).not.toEqual([]);
    expect(receiver.stored('NEWT')).toEqual([]);
  });

  test.skipIf(isSkipped).each(['-1', 'many'])(
    'does not read a request body whose length is %s',
    async (length) => {
      const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n`;
      // The connection stays open, so a receiver that reads to the end would never respond.
      expect(await receiver.statusOf(`${head}X-Service-Timestamp: 1\r\n\r\n`)).toMatch(/^4\d\d$/);
    },
  );

  test.skipIf(isSkipped)('does not acknowledge a delivery that it could not store', async () => {
    const broken = signed(
      { ...delivery('del_broken', 'BRKN'), body: '{"id":"del_broken"' },
      SECRET,
    );
    const status = await receiver.post(broken).then(
      (answer) => answer.status,
      () => 0,
    );
    expect(status === 0 || status >= 500).toBe(true);
    expect((await receiver.post(delivery('del_after', 'AFTR'))).status).toBe(200);
  });
});

test.skipIf(!isInstalled('python3') && !isCi)(
  'accepts or rejects signatures as the test vectors expect in the receiver on Python',
  () => {
    const script = `
import json, sys
sys.path.insert(0, "examples/python-receiver")
import receiver
for case in json.load(open("vectors/webhook-signatures.json"))["cases"]:
    headers = {"X-Service-Timestamp": case["timestamp"]}
    for name, value in case["headers"].items():
        headers["X-Service-S" + name[1:].replace("eN", "e-N").replace("eP", "e-P")] = value
    receiver.SECRETS, receiver.time.time = [case["secret"]], lambda: case["now"]
    accepted = receiver.verify(headers, bytes.fromhex(case["bodyHex"])) is None
    print(case["name"] if accepted != case["verifies"] else "ok")
`;
    const env = { PATH: process.env['PATH'], WEBHOOK_SECRET: SECRET, PYTHONDONTWRITEBYTECODE: '1' };
    const run = spawnSync('python3', ['-c', script], { cwd: ROOT, env, encoding: 'utf8' });
    const lines = run.stdout.trim().split('\n');
    expect([run.stderr, lines.length > 20, new Set(lines)]).toEqual(['', true, new Set(['ok'])]);
  },
);

test.skipIf(isCi || !isInstalled('go'))(
  'accepts or rejects signatures as the test vectors expect in the receiver on Go',
  () => {
    const cwd = join(ROOT, 'examples/go-receiver');
    const run = spawnSync('go', ['test', '-vet=off', '.'], { cwd, encoding: 'utf8' });
    expect([run.status, run.stdout + run.stderr]).toEqual([0, expect.stringContaining('ok')]);
  },
);

interface Sent {
  headers: [string, string][];
  body: string;
}

function delivery(
  id: string,
  symbol: string,
  options: {
    ageMs?: number;
    secrets?: SigningSecrets;
    templateId?: string;
    eventType?: string;
    format?: PayloadFormat;
  } = {},
): Sent {
  const { ageMs = 0, templateId = 'earnings_schedule', format = 'json' } = options;
  const { eventType = `${templateId}.changed` } = options;
  const { secrets = { current: SECRET, next: null, previous: null } } = options;
  const now = Date.now() - ageMs;
  const body = renderPayload({
    format,
    id,
    endpointId: 'whe_1',
    createdAt: now,
    templateId,
    eventType,
    symbol,
    data: dataOf(templateId),
    changedFields: ['date', 'epsEstimate'],
  });
  const headers = deliveryHeaders({ brand: 'Service', deliveryId: id, now, body, secrets });
  return { headers, body };
}

/** Returns data with every field of the template. Dates have the same day. */
function dataOf(templateId: string): string {
  const { fields = ['date'] } = templates.find((it) => it.templateId === templateId) ?? {};
  const isDate = (field: string) => /date$/i.test(field);
  return serializeData(
    fields,
    Object.fromEntries(fields.map((field) => [field, isDate(field) ? '2026-11-24' : 1.2])),
  );
}

/**
 * Signs the request without the library. `between` is inserted before the body; only an empty one gives
 * a valid signature.
 */
function signed({ headers, body }: Sent, secret: string, between = ''): Sent {
  const timestamp = formatTimestamp(Date.now());
  const signature = sign({ timestamp, body: `${between}${body}` }, secret);
  const newHeaders = new Map([
    ['X-Service-Timestamp', timestamp],
    ['X-Service-Signature', signature],
  ]);
  return { body, headers: headers.map(([name, value]) => [name, newHeaders.get(name) ?? value]) };
}

function without({ headers, body }: Sent, end: string): Sent {
  return { body, headers: headers.filter(([name]) => !name.endsWith(end)) };
}

interface Receiver {
  post(sent: Sent): Promise<{ status: number; text: string }>;
  /** Sends the text of an HTTP request and returns its response. */
  statusOf(raw: string): Promise<string>;
  /** Returns the output lines about storing that symbol. */
  stored(symbol: string): string[];
  /** Returns all output lines. */
  output(): readonly string[];
  stop(): Promise<void>;
}

/** Processes that a test leaves running. They are ended after the tests. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined;
}

/** Compiles the receiver in Go, and returns the path of the program. */
function buildGo(): string {
  const program = join(tmpdir(), `afterbell-receiver-${process.pid}`);
  const cwd = join(ROOT, 'examples/go-receiver');
  const { status, stderr } = spawnSync('go', ['build', '-o', program, '.'], { cwd });
  if (status !== 0) throw new Error(stderr.toString());
  process.once('exit', () => rmSync(program, { force: true }));
  return program;
}

async function startReceiver(program: string, args: readonly string[]): Promise<Receiver> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0' };
  const child = spawn(program, [...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    cwd: ROOT,
    env: { ...env, WEBHOOK_SECRET: SECRET },
  });
  running.add(child);
  const ended = once(child, 'close').then(() => running.delete(child));
  const lines: string[] = [];
  const port = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line);
      const said = /^listening on (\d+)$/.exec(line)?.[1];
      if (said !== undefined) resolve(said);
    });
    void ended.then(() =>
      reject(new Error(`${program} ${args.join(' ')} ended before it listened`)),
    );
  });
  return {
    async post({ headers, body }) {
      const options = { method: 'POST', headers, body, signal: AbortSignal.timeout(20_000) };
      const answer = await fetch(`http://127.0.0.1:${port}/`, options);
      return { status: answer.status, text: await answer.text() };
    },
    async statusOf(raw) {
      const socket = connect(Number(port), '127.0.0.1').setTimeout(20_000);
      socket.once('timeout', () => socket.destroy(new Error('no answer came')));
      socket.write(raw);
      const [first] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      return first.toString('latin1').split(' ')[1] ?? '';
    },
    output: () => lines,
    stored: (symbol) => lines.filter((line) => line.startsWith(`stored ${symbol} `)),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
