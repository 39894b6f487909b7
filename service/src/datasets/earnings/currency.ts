import { latest } from '../source-records/observation-history.ts';
import type { ReportCandidate } from './report-candidate.ts';
import { FIGURE_FIELDS } from './figures.ts';
import { byPrecedence } from './precedence.ts';

/**
 * The currency of a report: that of its filing where all its figures are filed ones. Calendars and
 * analysts reckon in dollars, also of a company that files in another currency, unless they say
 * otherwise; figures filed in another currency cannot stand beside theirs.
 */
export function currencyOf(candidate: ReportCandidate): string {
  if (candidate.financials !== null && !isSpokenOf(candidate)) {
    return latest(candidate.financials).fields.currency;
  }
  const said = candidate.calendars
    .toSorted(byPrecedence('date'))
    .map((history) => latest(history).fields.currency);
  return said.find((currency) => currency != null) ?? 'USD';
}

/** Whether a source other than the filing ever gave a figure. */
function isSpokenOf({ calendars, figures }: ReportCandidate): boolean {
  return [...calendars, ...figures].some(({ observations }) =>
    observations.some(({ fields }) => FIGURE_FIELDS.some((field) => fields[field] != null)),
  );
}
