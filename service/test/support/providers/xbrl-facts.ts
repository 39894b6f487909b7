import { localDate } from '../../../src/domain/local-date.ts';
import type { Fact } from '../../../src/providers/sec/xbrl/facts.ts';

/** Returns a fact from a 10-Q. `filed` also determines its accession number. */
export function makeFact(
  tag: string,
  period: readonly [string, string],
  value: string,
  filed: string,
  rest: Partial<Fact> = {},
): Fact {
  return {
    tag,
    start: localDate(period[0]),
    end: localDate(period[1]),
    value,
    accession: `0001900001-${filed.slice(2, 4)}-${filed.slice(5).replace('-', '00')}`,
    form: '10-Q',
    filedDate: localDate(filed),
    filingYear: null,
    filingPeriod: null,
    ...rest,
  };
}
