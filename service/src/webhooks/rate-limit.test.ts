import { beforeEach, expect, test } from 'vitest';
import { TESTER } from '../../test/support/account-world.ts';
import { onEachEngine } from '../../test/support/each-engine.ts';
import { addEndpoint, RECEIVER, webhookWorld } from '../../test/support/webhook-fixtures.ts';
import { sendTest, TESTS_PER_MINUTE } from './queue/delivery-actions.ts';
import { updateEndpoint, createEndpoint, ENDPOINTS_MAX } from './endpoint/endpoint-actions.ts';
import { CHANGES_PER_MINUTE } from './endpoint/endpoint-action.ts';

onEachEngine((db) => {
  let deps: ReturnType<typeof webhookWorld>;
  let customerId: string;
  let endpointIds: string[];
  beforeEach(async () => {
    deps = webhookWorld(db(), new Map([['ACME', '{"date":"2026-11-24"}']]));
    const first = await addEndpoint(deps, 'A');
    ({ customerId } = first);
    endpointIds = [first.endpointId];
    while (endpointIds.length < ENDPOINTS_MAX) {
      const made = await createEndpoint(deps, { customerId, url: RECEIVER }, TESTER);
      if (made.kind === 'created') endpointIds.push(made.id);
    }
  });

  test('limits concurrent test deliveries to ten per minute for all endpoints of an account together', async () => {
    const outcomes = await Promise.all(
      endpointIds.map((endpointId) => {
        const wanted = { templateId: 'earnings_schedule', symbol: 'ACME' };
        return sendTest(deps, { customerId, endpointId, ...wanted }, TESTER);
      }),
    );
    const opened = outcomes.filter(({ kind }) => kind === 'opened');
    expect(opened).toHaveLength(TESTS_PER_MINUTE);
  });

  test('returns the time to wait when a test delivery is rejected', async () => {
    const [endpointId = ''] = endpointIds;
    const wanted = { customerId, endpointId, templateId: 'earnings_schedule', symbol: 'ACME' };
    const sendOne = () => sendTest(deps, wanted, TESTER);
    for (let sent = 0; sent < TESTS_PER_MINUTE; sent += 1) {
      expect(await sendOne()).toMatchObject({ kind: 'opened' });
      await deps.clock.advance(1_000);
    }
    // The first test delivery was sent ten seconds ago.
    expect(await sendOne()).toEqual({ kind: 'too-many', retryAfterSeconds: 50 });
    await deps.clock.advance(50_000);
    expect(await sendOne()).toMatchObject({ kind: 'opened' });
    expect(await sendOne()).toEqual({ kind: 'too-many', retryAfterSeconds: 1 });
  });

  test('limits concurrent changes to sixty per minute for all endpoints of an account together', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, i) => {
        const endpointId = endpointIds[i % ENDPOINTS_MAX] ?? '';
        return updateEndpoint(deps, { customerId, endpointId, description: `${i}` }, TESTER);
      }),
    );
    const changed = outcomes.filter(({ kind }) => kind === 'changed');
    // Creating the endpoints also counted toward the limit.
    expect(changed).toHaveLength(CHANGES_PER_MINUTE - ENDPOINTS_MAX);
  });
});
