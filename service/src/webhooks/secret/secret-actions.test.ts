import { expect, test } from 'vitest';
import { TESTER } from '../../../test/support/account-world.ts';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { addEndpoint, webhookWorld } from '../../../test/support/webhook-fixtures.ts';
import { listAuditEvents } from '../../accounts/audit-log.ts';
import { SecretCipherError } from '../../platform/encryption.ts';
import { activateSecret, prepareSecret, revealSecrets, withdrawSecret } from './secret-actions.ts';
import { loadSecrets, loadSigningSecrets } from './secret-store.ts';
import type { EndpointIds, WebhookDeps } from '../webhook-deps.ts';

const HOUR_MS = 3_600_000;

onEachEngine((db) => {
  test('rotates a secret in two steps and keeps signing with the old secret for another day', async () => {
    const deps = webhookWorld(db());
    const { secret: old, ...of } = await addEndpoint(deps, 'A');
    const next = await prepare(deps, of);
    expect(next).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(await signing(deps, of)).toEqual({ current: old, next, previous: null });
    expect(await activateSecret(deps, of, TESTER)).toMatchObject({
      kind: 'activated',
      previousEndsAt: deps.clock.now() + 24 * HOUR_MS,
    });
    expect(await signing(deps, of)).toEqual({ current: next, next: null, previous: old });
    await deps.clock.advance(24 * HOUR_MS - 1);
    expect(await signing(deps, of)).toMatchObject({ previous: old });
    await deps.clock.advance(1);
    expect(await signing(deps, of)).toEqual({ current: next, next: null, previous: null });
  });

  test('drops the previous secret when the secret is rotated again', async () => {
    const deps = webhookWorld(db());
    const of = await addEndpoint(deps, 'A');
    const second = await prepare(deps, of);
    await activateSecret(deps, { ...of, overlapHours: 168 }, TESTER);
    const third = await prepare(deps, of);
    await activateSecret(deps, { ...of, overlapHours: 168 }, TESTER);
    expect(await signing(deps, of)).toEqual({ current: third, next: null, previous: second });
  });

  test('stops signing with the old secret immediately if no overlap is requested', async () => {
    const deps = webhookWorld(db());
    const { secret: old, ...of } = await addEndpoint(deps, 'A');
    const next = await prepare(deps, of);
    const activated = await activateSecret(deps, { ...of, overlapHours: 0 }, TESTER);
    expect(activated).toMatchObject({ previousEndsAt: null });
    expect(await signing(deps, of)).toEqual({ current: next, next: null, previous: null });
    expect(await deps.db.query('select role from webhook_secret')).toHaveLength(1);
    expect(old).not.toBe(next);
  });

  test.each([-1, 169, Number.NaN])(
    'rejects a rotation overlap of %d hours',
    async (overlapHours) => {
      const deps = webhookWorld(db());
      const of = await addEndpoint(deps, 'A');
      await prepare(deps, of);
      const outcome = await activateSecret(deps, { ...of, overlapHours }, TESTER);
      expect(outcome).toMatchObject({ kind: 'invalid', parameter: 'overlapHours' });
    },
  );

  test('rejects rotation steps in the wrong order but lets a prepared secret be withdrawn', async () => {
    const deps = webhookWorld(db());
    const { secret, ...of } = await addEndpoint(deps, 'A');
    expect((await activateSecret(deps, of, TESTER)).kind).toBe('conflict');
    expect((await withdrawSecret(deps, of, TESTER)).kind).toBe('conflict');
    await prepare(deps, of);
    expect((await prepareSecret(deps, of, TESTER)).kind).toBe('conflict');
    expect((await withdrawSecret(deps, of, TESTER)).kind).toBe('changed');
    expect(await signing(deps, of)).toEqual({ current: secret, next: null, previous: null });
  });

  test('records who revealed secrets without recording the secrets themselves', async () => {
    const deps = webhookWorld(db());
    const { secret, ...of } = await addEndpoint(deps, 'A');
    const next = await prepare(deps, of);
    const shown = await revealSecrets(deps, of, TESTER);
    expect(shown).toMatchObject({
      secrets: [
        { role: 'current', secret },
        { role: 'next', secret: next },
      ],
    });
    const [latest] = await listAuditEvents(deps.db, { customerId: of.customerId, limit: 1 });
    expect(latest).toMatchObject({
      action: 'webhook.reveal-secret',
      subject: of.endpointId,
      actor: TESTER,
      details: { roles: ['current', 'next'] },
    });
    const audit = JSON.stringify(await listAuditEvents(deps.db, { customerId: null, limit: 100 }));
    for (const text of [secret, next]) expect(audit).not.toContain(text);
  });

  test('cannot decrypt a secret that was copied to another endpoint', async () => {
    const deps = webhookWorld(db());
    const one = await addEndpoint(deps, 'A');
    const other = await addEndpoint(deps, 'B');
    await deps.db.query('delete from webhook_secret where endpoint_id = $1', [one.endpointId]);
    await deps.db.query('update webhook_secret set endpoint_id = $1', [one.endpointId]);
    expect(other.endpointId).not.toBe(one.endpointId);
    await expect(
      loadSecrets(deps.db, deps.cipher, one.endpointId, deps.clock.now()),
    ).rejects.toThrow(SecretCipherError);
  });
});

async function prepare(deps: WebhookDeps, of: EndpointIds): Promise<string> {
  const prepared = await prepareSecret(deps, of, TESTER);
  if (prepared.kind !== 'prepared') throw new Error(prepared.kind);
  return prepared.secret;
}

async function signing(deps: WebhookDeps, { endpointId }: EndpointIds) {
  return (await loadSigningSecrets(deps, [endpointId], deps.clock.now())).get(endpointId);
}
