import { expect, test } from 'vitest';
import { MIGRATIONS_FOLDER, migrate } from '../../storage/schema/migrate.ts';
import { openPglite } from '../../storage/engines/pglite/pglite.ts';

/** Number of the last migration before the revenue consensus got a separate time. */
const BEFORE = 24;

test('treats the EPS and revenue consensus from one feed as seen together when upgrading an old store', async () => {
  const db = await openPglite({ dataDir: 'memory://' });
  await migrate(db, MIGRATIONS_FOLDER, BEFORE);
  const nasdaq = { provider: 'nasdaq', feed: 'calendar-earnings', seenAt: 1 };
  const yahoo = { provider: 'yahoo', feed: 'quote-summary', seenAt: 1 };
  const rows = [
    ['together', 1.2, 900, { epsEstimate: nasdaq, revenueEstimate: nasdaq }],
    ['apart', 1.2, 900, { epsEstimate: nasdaq, revenueEstimate: yahoo }],
    ['revenue alone', null, 900, { revenueEstimate: yahoo }],
    ['EPS alone', 1.2, null, { epsEstimate: nasdaq }],
  ] as const;
  for (const [id, eps, revenue, provenance] of rows) {
    await db.query(
      `insert into earnings_event
         (id, security_id, symbol, date, time, date_status, eps_estimate, revenue_estimate, currency,
          estimate_as_of, marker_ahead, split_factor, provenance, updated_at, known_from)
       values ($1, 's1', 'OLD', '2026-01-30', 'time-after-hours', 'reported', $2, $3, 'USD',
               '2026-01-29Z', false, 1, $4, '2026-01-01Z', '2026-01-01Z')`,
      [id, eps, revenue, JSON.stringify(provenance)],
    );
  }
  await migrate(db);
  const filled = await db.query<{ id: string; at: number | null }>(
    `select id, revenue_estimate_as_of as at from earnings_event order by version_id`,
  );
  expect(filled.map(({ id, at }) => [id, at !== null])).toEqual([
    ['together', true],
    ['apart', false],
    ['revenue alone', true],
    ['EPS alone', false],
  ]);
  await db.close();
});
