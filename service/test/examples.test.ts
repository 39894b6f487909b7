import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deliveryHeaders, type SigningSecrets } from '../src/webhooks/message/delivery-headers.ts';
import { renderPayload } from '../src/webhooks/message/payload.ts';
import { sign, formatTimestamp } from '../src/webhooks/message/signature.ts';

/** Runs the example receivers as separate processes and checks the five steps they implement. */

const SECRET = 'whsec_bm90LWEtc2VjcmV0LWJ1dC1hbi1leGFtcGxlLTMy';
const NEW_SECRET = 'whsec_dGhlLW5leHQtc2VjcmV0LW9mLXRoZS1leGFtcGxlcw';
const NODE = process.execPath;

const RECEIVERS = [
  ['node:http', NODE, 'examples/node-receiver/receiver.ts'],
  ['Fastify', NODE, 'examples/fastify-receiver/receiver.ts'],
  ['Python', 'python3', 'examples/python-receiver/receiver.py'],
] as const;

test.each(RECEIVERS)('refuses to start the receiver on %s without a secret', (_, program, path) => {
  const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0' };
  const given = {
    env: { ...env, WEBHOOK_SECRET: ',' },
    encoding: 'utf8',
    timeout: 20_000,
  } as const;
  const { status, error, stderr } = spawnSync(program, [file], given);
  // Skips the test on machines without Python.
  if (error !== undefined && 'code' in error && error.code === 'ENOENT') return;
  expect([status, stderr]).toEqual([1, expect.stringContaining('set WEBHOOK_SECRET')]);
});

describe.each(RECEIVERS)('the receiver on %s', (_, program, path) => {
  const isMissing = spawnSync(program, ['--version']).error !== undefined;
  const isSkipped = isMissing && (process.env['CI'] ?? '') === '';
  let receiver: Receiver;

  beforeAll(async () => {
    if (!isSkipped) receiver = await startReceiver(program, path);
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

  test.skipIf(isSkipped).each([
    ['templates', 'del_new', { templateId: 'weather' }],
    ['events of templates it knows', 'del_event', { eventType: 'earnings_schedule.withdrawn' }],
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
  } = {},
): Sent {
  const { ageMs = 0, templateId = 'earnings_schedule' } = options;
  const { eventType = `${templateId}.changed` } = options;
  const { secrets = { current: SECRET, next: null, previous: null } } = options;
  const now = Date.now() - ageMs;
  const body = renderPayload({
    id,
    createdAt: now,
    templateId,
    eventType,
    symbol,
    data: JSON.stringify({
      date: '2026-11-24',
      time: 'time-pre-market',
      epsEstimate: 1.2,
      revenueEstimate: 15e8,
      eps: null,
      revenue: null,
    }),
    changedFields: ['date', 'epsEstimate'],
  });
  const headers = deliveryHeaders({ brand: 'Service', deliveryId: id, now, body, secrets });
  return { headers, body };
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
  stop(): Promise<void>;
}

/** Processes that a test leaves running. They are ended after the tests. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

async function startReceiver(program: string, path: string): Promise<Receiver> {
  const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0' };
  const child = spawn(program, [file], {
    stdio: ['ignore', 'pipe', 'ignore'],
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
    void ended.then(() => reject(new Error(`${path} ended before it listened`)));
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
    stored: (symbol) => lines.filter((line) => line.startsWith(`stored ${symbol} `)),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
