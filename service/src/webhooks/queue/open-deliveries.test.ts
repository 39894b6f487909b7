import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { countRowsRead } from '../../../test/support/count-rows-read.ts';
import { addEndpoint } from '../../../test/support/webhook-world.ts';
import { seededRandom } from '../../platform/random.ts';
import type { Db } from '../../storage/db.ts';
import { lockEndpoints } from '../endpoint/lock-endpoints.ts';
import { createDeliveries } from './open-deliveries.ts';

const WAITING = 4_000;
const TOLD = 200;

onEachEngine((db) => {
  // The planner may use statistics that were collected while there were no pending deliveries.
  test("looks up pending deliveries by index, regardless of their number and of the planner's statistics", async () => {
    await addEndpoint(db(), 'busy');
    await addEndpoint(db(), 'told');
    await addDeliveries(db(), { state: 'delivered', count: WAITING });
    await db().execute('analyze delivery');
    await addDeliveries(db(), { state: 'pending', count: WAITING });
    const read = await db().transaction(async (tx) => {
      const endpoint = (await lockEndpoints(tx, ['told'])).get('told');
      if (endpoint === undefined) throw new Error('no such endpoint');
      const subjects = Array.from({ length: TOLD }, (_, i) => ({
        endpoint,
        templateId: 'earnings_schedule',
        eventType: 'earnings_schedule.changed',
        symbol: `S${i}`,
        changedAt: 0,
      }));
      return countRowsRead(tx, 'delivery', async () => {
        const ids = await createDeliveries({ tx, random: seededRandom(1) }, subjects, { now: 1 });
        expect(new Set(ids).size).toBe(TOLD);
      });
    });
    expect(read).toBeLessThan(TOLD);
  });
});

async function addDeliveries(
  db: Db,
  { state, count }: { state: string; count: number },
): Promise<void> {
  await db.query(
    `insert into delivery (id, customer_id, endpoint_id, template_id, event_type, symbol, state,
                           changed_at, created_at, due_at)
     select 'del_' || $1 || n, 'cus_busy', 'busy', 'earnings_schedule',
            'earnings_schedule.changed', 'S' || n, $1, now(), now(), now()
       from generate_series(1, $2::int) as n`,
    [state, count],
  );
}
