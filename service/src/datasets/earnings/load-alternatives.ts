import type { LocalDate } from '../../domain/local-date.ts';
import type { MarketCalendar } from '../../domain/market/calendar.ts';
import type { Queryable } from '../../storage/db.ts';
import type { Security } from '../securities/row.ts';
import { type Alternatives, alternativesOf } from './alternatives.ts';
import { deriveEarnings } from './derive.ts';
import { loadCompanies, loadInputs } from './load-inputs.ts';

/** Number of companies derived without a pause for other requests. */
const COMPANIES_PER_QUERY = 10;

/**
 * Loads the alternatives of the given reports, by report id. Derives the reports of their securities
 * again from the stored observations, because alternatives are not stored.
 */
export async function loadAlternatives(
  db: Queryable,
  { securities, reportIds }: { securities: readonly Security[]; reportIds: readonly string[] },
  { today, market }: { today: LocalDate; market: MarketCalendar },
): Promise<Map<string, Alternatives>> {
  const ids = new Set(reportIds);
  const alternatives = new Map<string, Alternatives>();
  for (let first = 0; first < securities.length; first += COMPANIES_PER_QUERY) {
    const some = securities.slice(first, first + COMPANIES_PER_QUERY);
    const { companies } = await loadCompanies(db, some);
    for (const { input } of await loadInputs(db, companies, { today, market })) {
      for (const report of deriveEarnings(input).reports) {
        const { id } = report.event;
        if (ids.has(id)) alternatives.set(id, alternativesOf(report, input));
      }
    }
  }
  return alternatives;
}
