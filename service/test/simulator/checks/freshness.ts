import { marketCalendar } from '../../../src/domain/market/calendar.ts';
import { loadFreshness } from '../../../src/ingest/freshness.ts';
import type { Provider } from '../../../src/providers/provider.ts';
import type { Db } from '../../../src/storage/db.ts';

const LATE_AFTER_MS = 30 * 3_600_000;

/** Checks that the reported freshness matches the latest ingested data. */
export async function checkFreshness(
  deps: {
    db: Db;
    providers: readonly Provider[];
    now: number;
    /** When the latest good response was ingested. Null if there was none. */
    lastGoodAt: number | null;
  },
  report: (violation: string) => void,
): Promise<void> {
  const { db, providers, now, lastGoodAt } = deps;
  const market = marketCalendar([]);
  const all = await loadFreshness({ db, providers, enabled: providers, market, now });
  const earnings = all.find(({ dataset }) => dataset === 'earnings');
  if (earnings === undefined) return report('no freshness is reported for earnings');
  const { lastSuccessAt, state } = earnings;
  if (lastGoodAt !== null && (lastSuccessAt ?? 0) < lastGoodAt) {
    report(`earnings are reported as of ${lastSuccessAt}, but are as of ${lastGoodAt}`);
  }
  const expected =
    lastSuccessAt === null ? 'empty' : now - lastSuccessAt > LATE_AFTER_MS ? 'late' : 'fresh';
  if (state !== expected) report(`earnings are reported as ${state}, but are ${expected}`);
}
