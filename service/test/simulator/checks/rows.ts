import { remergeSplits } from '../../../src/ingest/merge-rows.ts';
import { canonicalJson } from '../../../src/datasets/source-records/canonical-json.ts';
import type { CalendarObservation } from '../../../src/datasets/earnings/observation.ts';
import { marketCalendar } from '../../../src/domain/market/calendar.ts';
import type { SourceResponse } from '../../../src/providers/provider.ts';
import type { Db, Row } from '../../../src/storage/db.ts';
import { SYMBOLS } from '../world/companies.ts';

/**
 * Checks that every row in every ingested response is stored once, with its content and time. The
 * current state follows from all rows together, so no late row has overwritten a newer one.
 */
export class RowCheck {
  readonly #db: Db;
  readonly #now: () => number;
  readonly #report: (violation: string) => void;
  #unchecked: SourceResponse[] = [];
  #count = 0;
  #lastIngestedAt: number | null = null;

  constructor({ db, now }: { db: Db; now: () => number }, report: (violation: string) => void) {
    this.#db = db;
    this.#now = now;
    this.#report = report;
  }

  count(): number {
    return this.#count;
  }

  lastIngestedAt(): number | null {
    return this.#lastIngestedAt;
  }

  addIngested(response: SourceResponse): void {
    this.#unchecked.push(response);
    this.#lastIngestedAt = this.#now();
  }

  async check(): Promise<void> {
    const responses = this.#unchecked;
    this.#unchecked = [];
    for (const response of responses) await this.#checkResponse(response);
    if (responses.length > 0) await this.#checkDerived();
  }

  async #checkResponse(response: SourceResponse): Promise<void> {
    const rows = (response.json() as CalendarObservation[]).map((fields) => canonicalJson(fields));
    this.#count += rows.length;
    const provider = response.host.replace('.example', '');
    const records = await this.#db.query<{ fields: object } & Row>(
      `select r.fields from sighting s join source_record r on r.id = s.record_id
        where s.observed_at = to_timestamp($1 / 1000.0) and r.provider = $2`,
      [response.observedAt, provider],
    );
    const stored = records.map(({ fields }) => canonicalJson(fields));
    for (const row of rows) {
      const copies = stored.filter((record) => record === row).length;
      if (copies !== 1) this.#report(`a row of ${provider} is stored ${copies} times: ${row}`);
    }
  }

  /** Derives all companies again and rolls back. The result must be the same as before. */
  async #checkDerived(): Promise<void> {
    await this.#db
      .transaction(async (tx) => {
        const [clock] = await tx.query<{ at: number }>('select at from version_clock');
        const context = { tx, now: (clock?.at ?? 0) + 1 };
        const { changes } = await remergeSplits(context, SYMBOLS, marketCalendar([]));
        for (const { symbol, changedFields } of changes) {
          this.#report(`${symbol} derived again differs in ${changedFields.join(', ')}`);
        }
        throw new Rollback();
      })
      .catch((error: unknown) => {
        if (!(error instanceof Rollback)) throw error;
      });
  }
}

class Rollback extends Error {}
