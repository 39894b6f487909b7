import { describe, expect, it } from 'vitest';
import { ADJUSTED_RELEASES } from '../../../../test/support/releases/adjusted.ts';
import { FOREIGN_RELEASES } from '../../../../test/support/releases/foreign.ts';
import { LAYOUT_RELEASES } from '../../../../test/support/releases/layouts.ts';
import { LENDER_RELEASES } from '../../../../test/support/releases/lenders.ts';
import { LOSS_RELEASES } from '../../../../test/support/releases/losses.ts';
import { TEXT_RELEASES } from '../../../../test/support/releases/old-text.ts';
import { PER_SHARE_RELEASES } from '../../../../test/support/releases/per-share.ts';
import { REFUSED_RELEASES } from '../../../../test/support/releases/refusals.ts';
import type { ReleaseCase } from '../../../../test/support/releases/release-case.ts';
import { RESULT_RELEASES } from '../../../../test/support/releases/results.ts';
import { REVENUE_RELEASES } from '../../../../test/support/releases/revenue.ts';
import { SEVERAL_TABLE_RELEASES } from '../../../../test/support/releases/several-tables.ts';
import { readRelease } from './read-release.ts';

function read({ document, expected }: ReleaseCase): ReleaseCase['expected'] {
  const release = readRelease(document);
  const values = {
    periodEnd: release.periodEnd?.value ?? null,
    epsDilutedGaap: release.epsDilutedGaap?.value ?? null,
    epsAdjusted: release.epsAdjusted?.value ?? null,
    revenue: release.revenue?.value ?? null,
    unit: release.epsDilutedGaap?.unit ?? null,
  };
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in expected));
}

describe('results of the quarter in a release', () => {
  it.each([
    ...RESULT_RELEASES,
    ...LAYOUT_RELEASES,
    ...SEVERAL_TABLE_RELEASES,
    ...PER_SHARE_RELEASES,
    ...ADJUSTED_RELEASES,
    ...LOSS_RELEASES,
    ...REVENUE_RELEASES,
    ...LENDER_RELEASES,
    ...FOREIGN_RELEASES,
    ...TEXT_RELEASES,
  ])('are read from $name', (release) => {
    expect(read(release)).toEqual(release.expected);
  });

  it('are in U.S. dollars if the release names no currency', () => {
    const { revenue } = readRelease(`<p>Heron Tools Reports Third Quarter 2026 Results</p>
      <p>Statements of Operations (in thousands, except per share amounts)</p>
      <table><tr><td></td><td>Three Months Ended September 30, 2026</td></tr>
      <tr><td>Revenue</td><td>410,200</td></tr><tr><td>Net income</td><td>30,100</td></tr>
      <tr><td>Net income per share, diluted</td><td>1.46</td></tr></table>`);
    expect(revenue).toMatchObject({ value: '410200000', unit: 'USD' });
  });

  it.each(REFUSED_RELEASES)('are not guessed from $name', (release) => {
    expect(read(release)).toEqual(release.expected);
  });
});
