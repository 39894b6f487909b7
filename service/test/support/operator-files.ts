import { createIngest } from '../../src/ingest/ingest.ts';
import { fakeClock } from './fake-clock.ts';
import type { Instant } from '../../src/platform/instant.ts';
import { createSourceResponse } from '../../src/providers/source-response.ts';
import { providers } from '../../src/providers/registry.gen.ts';
import type { ResponseReport } from '../../src/ingest/report.ts';
import type { Db } from '../../src/storage/db.ts';

const HEADER = 'symbol,exDate,record_date,payment_date,declaration_date,amount,currency,type';

/** Ingests an operator's file with these dividends, observed at this instant. */
export function ingestDividends(
  db: Db,
  lines: readonly string[],
  at: Instant,
): Promise<ResponseReport> {
  return ingestFile(db, { name: 'dividends.csv', lines: [HEADER, ...lines], at });
}

/** Ingests an operator's file, observed at this instant. */
export function ingestFile(
  db: Db,
  { name, lines, at }: { name: string; lines: readonly string[]; at: Instant },
): Promise<ResponseReport> {
  const ingest = createIngest({
    db,
    clock: fakeClock(at),
    providers,
    onCommit: () => undefined,
  });
  return ingest(
    createSourceResponse({
      url: `file:///import/${name}`,
      status: 200,
      contentType: 'text/csv',
      observedAt: at,
      text: [...lines, ''].join('\n'),
    }),
  );
}

/** Quarantines a dividend whose payment date precedes its ex-date. Returns the record ID. */
export async function quarantineDividend(db: Db, symbol: string, at: Instant): Promise<string> {
  await ingestDividends(
    db,
    [`${symbol},2026-11-24,2026-11-24,2026-11-02,2026-10-29,0.25,USD,cash`],
    at,
  );
  // Returns one row.
  const [row] = await db.query<{ id: number }>(
    `select h.record_id as id from held_record h join source_record r on r.id = h.record_id
      where r.dataset = 'dividends' and r.subject = $1`,
    [symbol],
  );
  if (row === undefined) throw new Error('the dividend is not quarantined');
  return `rec_${row.id}`;
}
