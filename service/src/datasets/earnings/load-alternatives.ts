import type { LocalDate } from '../../domain/local-date.ts';
import type { MarketCalendar } from '../../domain/market/calendar.ts';
import type { Queryable } from '../../storage/db.ts';
import type { Security } from '../securities/row.ts';
import { type Alternatives, alternativesOf } from './alternatives.ts';
import { deriveEarnings } from './derive.ts';
import { loadCompanies, loadInputs } from './load-inputs.ts';

/**
 * Loads the alternatives of a security's reports, by report id. Derives the reports again from the
 * stored observations, because alternatives are not stored.
 */
export async function loadAlternatives(
  db: Queryable,
  security: Security,
  { today, market }: { today: LocalDate; market: MarketCalendar },
): Promise<Map<string, Alternatives>> {
  const { companies } = await loadCompanies(db, [security]);
  const inputs = await loadInputs(db, companies, today, market);
  return new Map(
    inputs.flatMap(({ input }) =>
      deriveEarnings(input).reports.map(
        (report) => [report.event.id, alternativesOf(report, input)] as const,
      ),
    ),
  );
}
