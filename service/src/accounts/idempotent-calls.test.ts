import { expect, test } from 'vitest';
import { accountWorld, type AccountWorld, TESTER } from '../../test/support/account-world.ts';
import { onEachEngine } from '../../test/support/each-engine.ts';
import { recordAuditEvent } from './audit-log.ts';
import {
  beginCall,
  deleteOldCalls,
  finishCall,
  type IdempotentCall,
  releaseCall,
} from './idempotent-calls.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

onEachEngine((db) => {
  test('lets a call whose request was lost run again, and then not the lost request', async () => {
    const deps = accountWorld(db());
    const lost = await begun(deps, 'k');
    expect(await begin(deps, 'k')).toEqual({ kind: 'running' });
    await deps.clock.advance(MINUTE_MS);
    const again = await begun(deps, 'k');
    await expect(takeEffect(deps, lost)).rejects.toThrow('same idempotency key');
    await takeEffect(deps, again);
    await finishCall(deps, again, '{"body":1}');
    expect(await begin(deps, 'k')).toEqual({ kind: 'finished', response: '{"body":1}' });
  });

  test('never runs a call again that took effect without storing its response', async () => {
    const deps = accountWorld(db());
    const call = await begun(deps, 'k');
    await takeEffect(deps, call);
    expect(await begin(deps, 'k')).toEqual({ kind: 'running' });
    await releaseCall(deps.db, call, deps.clock.now());
    expect(await begin(deps, 'k')).toEqual({ kind: 'interrupted' });
    await deps.clock.advance(MINUTE_MS);
    expect(await begin(deps, 'k')).toEqual({ kind: 'interrupted' });
  });

  test('lets a call run again whose effect was rolled back', async () => {
    const deps = accountWorld(db());
    const call = await begun(deps, 'k');
    await expect(takeEffect(deps, call, new Error('rolled back'))).rejects.toThrow('rolled back');
    await releaseCall(deps.db, call, deps.clock.now());
    expect((await begin(deps, 'k')).kind).toBe('begun');
  });

  test('limits the keys of a caller in a day, and deletes keys after a day', async () => {
    const deps = accountWorld(db());
    await deps.db.query(
      `insert into idempotent_call (caller, key, fingerprint, token, created_at, lease_until)
       select 'key_1', n::text, 'f', 't', to_timestamp($1 / 1000.0), to_timestamp($1 / 1000.0)
         from generate_series(1, 10000) as n`,
      [deps.clock.now()],
    );
    expect(await begin(deps, 'new')).toEqual({ kind: 'too-many' });
    expect((await begin(deps, 'new', 'key_2')).kind).toBe('begun');
    await deps.clock.advance(DAY_MS);
    const expired = { now: deps.clock.now(), limit: 9_000 };
    const counts = [await deleteOldCalls(db(), expired), await deleteOldCalls(db(), expired)];
    expect(counts).toEqual([9_000, 1_001]);
    expect((await begin(deps, 'new')).kind).toBe('begun');
  });
});

function begin({ db, random, cipher, clock }: AccountWorld, key: string, caller = 'key_1') {
  const request = { caller, key, fingerprint: 'f', now: clock.now() };
  return beginCall({ db, random, cipher }, request);
}

async function begun(deps: AccountWorld, key: string): Promise<IdempotentCall> {
  const outcome = await begin(deps, key);
  if (outcome.kind !== 'begun') throw new Error(outcome.kind);
  return outcome.call;
}

/** Performs an action by the call, in a transaction that rolls back with the error. */
function takeEffect({ db, clock }: AccountWorld, call: IdempotentCall, error?: Error) {
  return db.transaction(async (tx) => {
    await recordAuditEvent(tx, {
      actor: { ...TESTER, call },
      at: clock.now(),
      action: 'webhook.create',
      subject: null,
      customerId: null,
    });
    if (error !== undefined) throw error;
  });
}
