import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, localDate } from '../../domain/local-date.ts';
import type { IdentifiedRow } from '../endpoint.ts';
import { eachDay } from './date-range.ts';
import { type PagedReport, pageOfReports, type ReportPage } from './report-pages.ts';

const range = { from: localDate('2026-11-20'), to: localDate('2026-11-26') };

const anyReports = fc.uniqueArray(
  fc.record({
    id: fc.string({ minLength: 1, maxLength: 3 }),
    date: fc.nat(6).map((days) => addDays(range.from, days)),
    symbol: fc.constantFrom('AAA', 'BBB', 'CCC'),
  }),
  { selector: ({ id }) => id, maxLength: 40 },
);

/** Returns the page after a row, which is found as the read API does. */
function pageAfter(last: IdentifiedRow | null, limit: number, reports: readonly PagedReport[]) {
  const findStart = (rows: readonly IdentifiedRow[]): number | null => {
    const index = rows.findIndex(({ id }) => id === last?.id);
    return index === -1 && last !== null ? null : index + 1;
  };
  return pageOfReports(reports, { range, limit, findStart });
}

function allPages(limit: number, reports: readonly PagedReport[]): ReportPage<PagedReport>[] {
  const pages: ReportPage<PagedReport>[] = [];
  let last: IdentifiedRow | null = null;
  for (;;) {
    const page = pageAfter(last, limit, reports);
    if (page === null) throw new Error('no page');
    pages.push(page);
    const end: number = page.part.start + page.reports.length;
    if (end >= page.part.rows.length) return pages;
    last = page.part.rows[end - 1] ?? null;
  }
}

test('pages have as many reports as requested, and together each report and each day once', () => {
  fc.assert(
    fc.property(anyReports, fc.integer({ min: 1, max: 12 }), (reports, limit) => {
      const pages = allPages(limit, reports);
      const shown = pages.flatMap((page) => page.reports);
      expect(shown).toHaveLength(reports.length);
      expect(new Set(shown)).toEqual(new Set(reports));
      for (const { part } of pages) expect(part.rows).toHaveLength(reports.length);
      for (const page of pages.slice(0, -1)) expect(page.reports).toHaveLength(limit);
      // A day is repeated only if it continues.
      const days = pages.flatMap((page, i) => {
        const isContinued = i > 0 && pages[i - 1]?.reports.at(-1)?.date === page.reports[0]?.date;
        return eachDay(page.days).slice(isContinued ? 1 : 0);
      });
      expect(days).toEqual(eachDay(range));
    }),
  );
});

test('rejects a cursor whose report moved to another day or disappeared', () => {
  const [first, second] = [
    { id: 'a', symbol: 'AAA', date: range.from },
    { id: 'b', symbol: 'BBB', date: range.from },
  ] as const;
  const last = pageAfter(null, 1, [first, second])?.part.rows[0] ?? null;
  expect(pageAfter(last, 1, [first, second])?.reports).toEqual([second]);
  expect(pageAfter(last, 1, [second])).toBeNull();
  expect(pageAfter(last, 1, [{ ...first, date: range.to }, second])).toBeNull();
});
