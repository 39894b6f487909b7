import { expect, test } from 'vitest';
import { onEachEngine } from '../../../test/support/each-engine.ts';
import { quietSessions } from '../../../test/support/price-history.ts';
import { barOf, ingestFileBars } from '../../../test/support/stored-bars.ts';
import { eventOf, securityOf, storeRows } from '../../../test/support/stored-earnings.ts';
import { addEndpoint, deliverAll, engineDeps } from '../../../test/support/webhook-world.ts';
import { addSubscriptions } from '../../webhooks/subscription/subscription-store.ts';
import { localDate } from '../../domain/local-date.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import type { Db } from '../../storage/db.ts';
import { template } from '../../webhooks/templates/earnings-reaction.ts';
import { queueSessionChanges } from './session-changes.ts';

/** A Tuesday on which ACME and ZINC report before the open. */
const DAY = '2026-11-17';
const BEFORE = quietSessions(DAY).map(({ date }) => date);
const NEXT = '2026-11-18';

onEachEngine((db) => {
  test('sends a price reaction once, after its session has ended and the bars are stored', async () => {
    const deps = await world(db());
    await ingestFileBars(
      db(),
      BEFORE.flatMap((day) => [barOf('ACME', day, '100'), barOf('ZINC', day, '10')]),
    );
    await queueSessionChanges(deps);
    expect(await deliverAll(deps)).toEqual([]);

    await ingestFileBars(db(), [barOf('ACME', DAY, '105', { open: '102' })]);
    expect(await queueSessionChanges(deps)).toBe(true);
    expect(await deliverAll(deps)).toMatchObject([
      {
        template_id: 'earnings_reaction',
        event_type: 'earnings_reaction.changed',
        context: { symbol: 'ACME' },
        data: {
          date: DAY,
          reactionDate: DAY,
          priceChange: 5,
          gapChange: 2,
        },
        changed_fields: template.fields,
      },
    ]);
    expect([await queueSessionChanges(deps), await deliverAll(deps)]).toEqual([false, []]);

    // The late bar for ACME is sent with the next session. The reaction for ZINC is not sent again.
    await ingestFileBars(db(), [barOf('ZINC', DAY, '9'), barOf('ACME', NEXT, '90')]);
    await ingestFileBars(db(), [barOf('ZINC', NEXT, '9')]);
    expect(await queueSessionChanges(deps)).toBe(true);
    expect((await deliverAll(deps)).map(({ context }) => context)).toEqual([{ symbol: 'ZINC' }]);
  });

  test('does nothing when a session ends if no template follows sessions', async () => {
    const deps = await world(db());
    await ingestFileBars(db(), [barOf('ACME', DAY, '105')]);
    const { followsSessions: _, ...plain } = template;
    expect(await queueSessionChanges({ ...deps, templates: [plain] })).toBe(false);
  });
});

async function world(db: Db) {
  const clock = fakeClock(Date.parse('2026-11-19T12:00:00Z'));
  const deps = { ...engineDeps(db, clock), templates: [template] };
  const report = { date: localDate(DAY), dateStatus: 'reported', markerAhead: true } as const;
  await storeRows(db, {
    securities: [securityOf('ACME'), securityOf('ZINC')],
    events: [eventOf('ACME', report), eventOf('ZINC', report)],
  });
  await addEndpoint(db, 'one');
  const { templateId } = template;
  await db.transaction(async (tx) => {
    const subjects = ['ACME', 'ZINC'].map((symbol) => ({ templateId, symbol, data: null }));
    await addSubscriptions(tx, 'one', subjects, { now: clock.now() });
  });
  return deps;
}
