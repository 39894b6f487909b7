import { expect, test } from 'vitest';
import { fakeClock } from '../../../../test/support/fake-clock.ts';
import { memoryLog } from '../../../../test/support/logs.ts';
import type { Db, Row } from '../../db.ts';
import { SqlError, StoreUnavailableError } from '../../errors.ts';
import { startReplicaReads } from './replica-reads.ts';

const NOW = Date.parse('2026-11-20T15:00:00Z');

/**
 * Returns a primary that stamps a row with its own clock, and a replica with a configurable lag.
 */
function world() {
  const clock = fakeClock(NOW);
  const state = { lagMs: 0, failure: null as Error | null, hangs: false, looks: 0, left: 0 };
  // The primary's clock is two years off, which must not matter because no two clocks are compared.
  const primaryNow = (): number => clock.now() - 63_072_000_000;
  const primary = stub(async (sql) => [
    { at: primaryNow(), from: sql.startsWith('insert') ? '' : 'primary' },
  ]);
  const replica = stub(async () => {
    if (state.hangs) await new Promise(() => undefined);
    if (state.failure !== null) throw state.failure;
    return [{ at: primaryNow() - state.lagMs, from: 'replica' }];
  });
  const reads = startReplicaReads({
    primary,
    replica,
    clock,
    log: memoryLog(),
    lagMsMax: 5e3,
    onCheck: async () => void (state.looks += 1),
    onUnused: () => void (state.left += 1),
  });
  const from = async (): Promise<unknown> => (await reads.query('select'))[0]?.['from'];
  return { clock, state, reads, from };
}

function stub(query: (sql: string) => Promise<Row[]>): Db {
  const unused = (): never => {
    throw new Error('only read in this test');
  };
  const otherMethods = { execute: unused, transaction: unused, close: async () => undefined };
  return { engine: 'postgres', query, ...otherMethods } as unknown as Db;
}

test('reads from the replica while its lag is within the limit, and from the primary until the lag is known', async () => {
  const { clock, from, reads, state } = world();
  expect(await from()).toBe('primary');
  await clock.advance(1_000);
  expect(await from()).toBe('replica');
  expect(state.looks).toBeGreaterThan(0);
  expect(reads.lagMs()).toBe(0);
});

test("reads from the primary while the replica's lag is above the limit", async () => {
  const { clock, from, reads, state } = world();
  await clock.advance(1_000);
  state.lagMs = 5_001;
  await clock.advance(1_000);
  expect(await from()).toBe('primary');
  expect([reads.isUsed(), state.left]).toEqual([false, 1]);
  state.lagMs = 4_000;
  await clock.advance(1_000);
  expect(await from()).toBe('replica');
});

test('stops reading from the replica when a lag check takes longer than the limit', async () => {
  const { clock, from, state } = world();
  await clock.advance(1_000);
  expect(await from()).toBe('replica');
  state.hangs = true;
  await clock.advance(7_000);
  expect(await from()).toBe('primary');
  expect(state.left).toBe(1);
});

test('retries a failed replica read on the primary', async () => {
  const { clock, from, state } = world();
  await clock.advance(1_000);
  state.failure = new SqlError({ message: 'conflict with recovery', sqlState: '40001' });
  expect(await from()).toBe('primary');
  state.failure = null;
  expect(await from()).toBe('replica');
  state.failure = new StoreUnavailableError('gone');
  expect(await from()).toBe('primary');
  state.failure = null;
  expect(await from(), 'until it is looked at again').toBe('primary');
  await clock.advance(10_000);
  expect(await from()).toBe('replica');
});
