import type { LocalDate } from '../../domain/local-date.ts';
import type { MarketCalendar } from '../../domain/market/calendar.ts';
import { loadInSlices, mapInSlices } from '../../platform/slices.ts';
import type { Queryable } from '../../storage/db.ts';
import type { Security } from '../securities/row.ts';
import { type Alternatives, alternativesOf } from './alternatives.ts';
import { deriveEarnings } from './derive.ts';
import { loadCompanies, loadInputs } from './load-inputs.ts';
import type { EarningsInput } from './report-candidate.ts';

/** Companies whose observations one query loads. */
const COMPANIES_PER_QUERY = 3;

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
  const entries = await loadInSlices(securities, COMPANIES_PER_QUERY, async (some) => {
    const { companies } = await loadCompanies(db, some);
    const inputs = await loadInputs(db, companies, { today, market });
    // Deriving a company takes some milliseconds.
    return mapInSlices(inputs, 1, (slice) => slice.flatMap(({ input }) => entriesOf(input, ids)));
  });
  return new Map(entries);
}

function entriesOf(
  input: EarningsInput,
  ids: ReadonlySet<string>,
): [id: string, alternatives: Alternatives][] {
  return deriveEarnings(input).reports.flatMap((report) => {
    const { id } = report.event;
    return ids.has(id) ? [[id, alternativesOf(report, input)]] : [];
  });
}
