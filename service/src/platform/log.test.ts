import { expect, test } from 'vitest';
import { fakeClock } from '../../test/support/fake-clock.ts';
import { createLog, type LogOptions } from './log.ts';
import { memoryLog } from '../../test/support/logs.ts';

const EVENT = { event: 'process.error' } as const;
const AT = Date.UTC(2026, 1, 2, 14, 30, 5);

function logTo(lines: string[], options: Partial<LogOptions> = {}) {
  const write = (line: string) => void lines.push(line);
  return createLog({ level: 'info', clock: fakeClock(AT), isTerminal: false, write, ...options });
}

test('writes each log message as one JSON line with level, time, fields and message', () => {
  const lines: string[] = [];
  logTo(lines)
    .child({ part: 'http' })
    .warn({ ...EVENT, status: 429 }, 'too\nfast');
  expect(lines).toHaveLength(1);
  expect(lines[0]?.endsWith('\n')).toBe(true);
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 'warn',
    time: '2026-02-02T14:30:05Z',
    part: 'http',
    event: 'process.error',
    status: 429,
    msg: 'too\nfast',
  });
});

test('writes no log messages below the configured level', () => {
  const lines: string[] = [];
  const log = logTo(lines, { level: 'warn' });
  log.debug(EVENT, 'a');
  log.info(EVENT, 'b');
  log.warn(EVENT, 'c');
  log.error(EVENT, 'd');
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['c', 'd']);
});

test.each([true, false])(
  'redacts keys and secrets in log messages (terminal: %s)',
  (isTerminal) => {
    const lines: string[] = [];
    const log = logTo(lines, { isTerminal, secrets: ['provider-key-1'] });
    log.info(
      {
        ...EVENT,
        url: '/v1/x?apikey=HIDEME1',
        headers: { authorization: 'Bearer HIDEME2' },
        deep: ['whsec_HIDEME3'],
      },
      'eds_live_HIDEME4 with provider-key-1',
    );
    log.error({ ...EVENT, err: new Error('failed at https://x.example/?token=HIDEME5') }, 'broke');
    expect(lines.join('')).not.toMatch(/HIDEME|provider-key-1/);
    expect(lines).toHaveLength(2);
  },
);

test('writes one readable log line on a terminal and escapes control characters', () => {
  const lines: string[] = [];
  logTo(lines, { isTerminal: true }).info(
    { ...EVENT, name: 'Evil \u001B[2J Inc' },
    'new\u001B[2J company',
  );
  const plain = lines.join('').replace(/\u001B\[\d+m/g, '');
  expect(plain).toMatch(/^14:30:05 info {2}new\\x1b\[2J company event=process.error name=/);
  expect(plain).not.toContain('\u001B');
  expect(plain.trim().split('\n')).toHaveLength(1);
});

test("writes an error's stack after its log message on a terminal", () => {
  const lines: string[] = [];
  logTo(lines, { isTerminal: true }).error({ ...EVENT, err: new Error('no disk') }, 'broke');
  const plain = lines.join('').replace(/\u001B\[\d+m/g, '');
  expect(plain).toMatch(/broke event=process.error\n {4}Error: no disk\n {4} +at /);
});

test('collects log messages in a memory log, including the fields of parent logs', () => {
  const log = memoryLog();
  log
    .child({ a: 1 })
    .child({ b: 2 })
    .error({ ...EVENT, c: 3 }, 'x');
  expect(log.entries).toEqual([
    { level: 'error', message: 'x', fields: { a: 1, b: 2, event: 'process.error', c: 3 } },
  ]);
});
