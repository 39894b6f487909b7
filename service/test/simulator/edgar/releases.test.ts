import { expect, test } from 'vitest';
import { marketCalendar } from '../../../src/domain/market/calendar.ts';
import { createSimulatedEdgar } from '../../../src/providers/sandbox/edgar/simulated-edgar.ts';
import { LAYOUT_COUNT } from '../../../src/providers/sandbox/edgar/release-layouts.ts';
import type { Figure } from '../../../src/providers/sec/release/figure.ts';
import { readRelease, type Release } from '../../../src/providers/sec/release/read-release.ts';

const COMPANIES = 40;
const CYCLE = 2026 * 4 + 3;
/** A release in millions states one decimal place. */
const ROUNDING = 50_000;
const { isTradingDay } = marketCalendar();

const edgar = createSimulatedEdgar({ seed: 1, companies: COMPANIES, isTradingDay });

test('states the figures of the market in every layout, so that the reader of releases finds them', () => {
  const layouts = new Set<string>();
  for (let index = 0; index < COMPANIES; index += 1) {
    for (const cycle of [CYCLE, CYCLE - (index % 8)]) {
      const body = bodyOf(index, cycle);
      layouts.add(/in thousands, except[^<]*|<ul>|In thousands|<pre>/.exec(body)?.[0] ?? '');
      const { periodEnd, epsDilutedGaap, epsAdjusted, revenue } = readRelease(body);
      const figures = edgar.filings.figuresOf(index, cycle);
      expect([periodEnd?.value, centsOf(epsDilutedGaap), centsOf(epsAdjusted)], body).toEqual([
        figures.end,
        figures.epsCents,
        figures.adjustedCents,
      ]);
      const difference = Math.abs(Number(revenue?.value) - figures.revenue);
      expect(difference, body).toBeLessThanOrEqual(ROUNDING);
    }
  }
  expect(layouts.size).toBe(LAYOUT_COUNT);
});

test('writes the same documents in two processes, and finds each by its accession number', () => {
  const other = createSimulatedEdgar({ seed: 1, companies: COMPANIES, isTradingDay });
  const { results, periodic } = edgar.filings.ofReport(7, CYCLE);
  for (const filing of [results, periodic]) {
    expect(other.filings.find(filing.accession)).toMatchObject({ acceptedAt: filing.acceptedAt });
  }
  expect(other.filings.find(results.accession)?.exhibits[0]?.body).toBe(bodyOf(7, CYCLE));
});

test('contains the chosen mistakes, which do not pass as figures of the company', () => {
  const faulty = createSimulatedEdgar({
    seed: 1,
    companies: COMPANIES,
    isTradingDay,
    faults: new Set(['wrong-scale', 'contradiction']),
  });
  const reasons = new Set<string>();
  for (let index = 0; index < COMPANIES; index += 1) {
    const fault = faulty.filings.faultOf(index, CYCLE);
    const release: Release = readRelease(
      faulty.filings.ofReport(index, CYCLE).results.exhibits[0]?.body ?? '',
    );
    const { revenue } = faulty.filings.figuresOf(index, CYCLE);
    if (fault === 'wrong-scale' && Number(release.revenue?.value) > revenue * 999) {
      reasons.add('wrong-scale');
    }
    for (const { reason } of release.refused) reasons.add(reason);
  }
  expect([...reasons].toSorted()).toEqual(['table-against-text', 'wrong-scale']);
});

function bodyOf(index: number, cycle: number): string {
  return edgar.filings.ofReport(index, cycle).results.exhibits[0]?.body ?? '';
}

function centsOf(figure: Figure | null): number | null {
  return figure === null ? null : Math.round(Number(figure.value) * 100);
}
