import { remergeSplits } from '../../../src/ingest/merge-rows.ts';
import { canonicalJson } from '../../../src/datasets/source-records/canonical-json.ts';
import type { CalendarObservation } from '../../../src/datasets/earnings/observation.ts';
import { marketCalendar } from '../../../src/domain/market/calendar.ts';
import type { SourceResponse } from '../../../src/providers/provider.ts';
import type { Db, Row } from '../../../src/storage/db.ts';
import { SYMBOLS } from '../world/companies.ts';

/**
 * Ledger A: every row of every ingested response is stored once, with its content and time. The
 * current state follows from all rows together, so no late row has overwritten a newer one.
 */
export function createRowCheck(
  { db, now }: { db: Db; now: () => number },
  report: (wrong: string) => void,
): {
  accepted(answer: SourceResponse): void;
  check(): Promise<void>;
  count(): number;
  lastAt(): number | null;
} {
  let fresh: SourceResponse[] = [];
  let count = 0;
  let lastAt: number | null = null;

  async function check(): Promise<void> {
    const answers = fresh;
    fresh = [];
    for (const answer of answers) await checkAnswer(answer);
    if (answers.length > 0) await deriveAnew();
  }

  async function checkAnswer(answer: SourceResponse): Promise<void> {
    const said = (answer.json() as CalendarObservation[]).map((fields) => canonicalJson(fields));
    count += said.length;
    const provider = answer.host.replace('.example', '');
    const stored = await db.query<{ fields: object } & Row>(
      `select r.fields from sighting s join source_record r on r.id = s.record_id
        where s.observed_at = to_timestamp($1 / 1000.0) and r.provider = $2`,
      [answer.observedAt, provider],
    );
    const known = stored.map(({ fields }) => canonicalJson(fields));
    for (const row of said) {
      const copies = known.filter((each) => each === row).length;
      if (copies !== 1) report(`a row of ${provider} is stored ${copies} times: ${row}`);
    }
  }

  /** Derives all companies again and rolls back. The result must be the same. */
  async function deriveAnew(): Promise<void> {
    await db
      .transaction(async (tx) => {
        const [clock] = await tx.query<{ at: number }>('select at from version_clock');
        const context = { tx, now: (clock?.at ?? 0) + 1 };
        const { changes } = await remergeSplits(context, SYMBOLS, marketCalendar([]));
        for (const { symbol, changedFields } of changes) {
          report(`${symbol} derived anew differs in ${changedFields.join(', ')}`);
        }
        throw new Undo();
      })
      .catch((error: unknown) => {
        if (!(error instanceof Undo)) throw error;
      });
  }

  return {
    accepted(answer) {
      fresh.push(answer);
      lastAt = now();
    },
    check,
    count: () => count,
    lastAt: () => lastAt,
  };
}

class Undo extends Error {}
