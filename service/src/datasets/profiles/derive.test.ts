import { describe, expect, test } from 'vitest';
import type { Security } from '../securities/row.ts';
import type { ObservationHistory } from '../source-records/observation-history.ts';
import { deriveProfile } from './derive.ts';
import type { ProfileObservation } from './observation.ts';

const NORTHGATE: Security = {
  id: 'sec_northgate',
  symbol: 'NRTH',
  cik: '0009990001',
  name: 'NORTHGATE INSTRUMENTS INC',
  exchange: 'NYSE',
  active: true,
  reports: true,
  formerCiks: [],
  listedAt: 5,
  symbols: [{ symbol: 'NRTH', from: null, to: null }],
};

describe('source preference', () => {
  const filer = historyOf('sec', 'CIK0009990001', [
    10,
    {
      companyName: 'Northgate Instruments Inc.',
      country: 'Canada',
      sicCode: '3823',
      exchange: 'OTC',
    },
  ]);
  const list = historyOf('nasdaq', 'NRTH', [
    20,
    {
      companyName: 'Northgate Instruments Inc. Common Stock',
      country: 'United States',
      sector: 'Technology',
    },
  ]);

  test('takes the company name from the SEC, sector and country from Nasdaq’s list, and the exchange from the listing', () => {
    expect(profileOf([filer, list])).toMatchObject({
      companyName: 'Northgate Instruments Inc.',
      sector: 'Technology',
      classification: 'provider',
      country: 'United States',
      countryCode: 'US',
      countryEmoji: '🇺🇸',
      exchange: 'NYSE',
      mic: 'XNYS',
      sicCode: '3823',
      type: 'equity',
      tags: [],
    });
  });

  test('takes the exchange from the symbol directory, and treats a security it flags as an ETF as a fund', () => {
    const directory = (isEtf: boolean | null) =>
      historyOf('nasdaq-trader', 'NRTH', [30, { exchange: 'NYSE Arca', isEtf }]);
    const company = { exchange: 'NYSE Arca', mic: 'ARCX', type: 'equity', tags: [] };
    expect(profileOf([list, directory(false)])).toMatchObject(company);
    expect(profileOf([list, directory(null)])).toMatchObject(company);
    expect(profileOf([list, directory(true)])).toMatchObject({ type: 'fund', tags: ['etf'] });
  });

  test('removes security words such as “Warrants” from a name in a list, and derives the security type from them', () => {
    expect(profileOf([list])).toMatchObject({ companyName: 'Northgate Instruments Inc.' });
    const warrant = historyOf('nasdaq', 'NRTH', [20, { companyName: 'Northgate Corp. Warrants' }]);
    expect(profileOf([warrant])).toMatchObject({
      companyName: 'Northgate Corp.',
      type: 'non_equity',
    });
  });

  test('prefers values from an operator’s file', () => {
    const file = historyOf('files', 'NRTH', [
      1,
      { companyName: 'Northgate', sector: 'Instruments' },
    ]);
    expect(profileOf([filer, list, file])).toMatchObject({
      companyName: 'Northgate',
      sector: 'Instruments',
      classification: 'operator',
    });
  });

  test('derives the sector from the SIC code if no list has one', () => {
    expect(profileOf([filer])).toMatchObject({ sector: 'Industrials', classification: 'sic' });
    expect(profileOf([])).toMatchObject({ sector: null, classification: 'provider' });
  });

  test("uses a provider's own classification only if there is no list classification and no SIC code", () => {
    const fields = { sector: 'Consumer Cyclical', industry: 'Specialty Retail' };
    const filesHistory = historyOf('yahoo', 'NRTH', [30, fields]);
    const other = historyOf('alphavantage', 'NRTH', [40, { sector: 'Trade', country: 'Canada' }]);
    expect(profileOf([filer, filesHistory])).toMatchObject({
      sector: 'Industrials',
      industry: null,
    });
    expect(profileOf([list, filesHistory])).toMatchObject({ sector: 'Technology', industry: null });
    expect(profileOf([filesHistory, other])).toMatchObject({
      ...fields,
      country: 'Canada',
      classification: 'provider',
    });
    expect(profileOf([other])).toMatchObject({ sector: 'Trade', industry: null });
  });

  test('prefers rows for the current symbol to rows for a former one, regardless of alphabetical order', () => {
    const renamed: Security = {
      ...NORTHGATE,
      symbols: [
        { symbol: 'AOLD', from: null, to: '2026-01-01' as never },
        { symbol: 'NRTH', from: '2026-01-02' as never, to: null },
      ],
    };
    const old = historyOf('nasdaq', 'AOLD', [30, { sector: 'Energy' }]);
    const { fields } = deriveProfile({
      security: renamed,
      isOnlyClass: true,
      histories: [old, list],
    });
    expect(fields).toMatchObject({
      sector: 'Technology',
      formerSymbols: [{ symbol: 'AOLD', until: '2026-01-01' }],
    });
  });

  test('does not prefer a newer row that only repeats earlier values', () => {
    const repeated = historyOf(
      'nasdaq',
      'NRTH',
      [20, { sector: 'Energy' }],
      [40, { sector: 'Energy' }],
    );
    const once = historyOf('nasdaq', 'NRTH', [20, { sector: 'Energy' }]);
    expect(full([repeated])).toEqual(full([once]));
  });
});

describe('shares', () => {
  const cover = historyOf('sec', 'CIK0009990001', [
    10,
    { sharesOutstanding: '1000', sharesAsOf: '2026-01-31' as never },
  ]);

  test('assigns the share count to the only class of a company with one class', () => {
    expect(profileOf([cover])).toMatchObject({
      outstandingShares: '1000',
      outstandingSharesAllClasses: '1000',
      sharesAsOf: '2026-01-31',
    });
  });

  test('reports the total share count for several classes, but no share count for each class', () => {
    const { fields } = deriveProfile({
      security: NORTHGATE,
      isOnlyClass: false,
      histories: [cover],
    });
    expect(fields).toMatchObject({ outstandingShares: null, outstandingSharesAllClasses: '1000' });
  });

  test('reports no share count for preferred shares', () => {
    const preferred = { ...NORTHGATE, symbol: 'NRTH.PR.A', reports: false };
    const { fields } = deriveProfile({
      security: preferred,
      isOnlyClass: false,
      histories: [cover],
    });
    expect(fields).toMatchObject({
      outstandingShares: null,
      outstandingSharesAllClasses: null,
      sharesAsOf: null,
      tags: ['preferred'],
    });
  });
});

describe('updatedAt', () => {
  test('sets `updatedAt` to the time when the newest fact was first reported, despite repetitions', () => {
    const list = historyOf(
      'nasdaq',
      'NRTH',
      [10, { sector: 'Energy' }],
      [20, { sector: 'Technology' }],
      [30, { sector: 'Technology' }],
    );
    expect(full([list]).updatedAt).toBe(20);
  });

  test('changes `updatedAt` for a removed value', () => {
    const list = historyOf('nasdaq', 'NRTH', [10, { sector: 'Energy' }], [20, { sector: null }]);
    const profile = full([list]);
    expect(profile.fields).toMatchObject({ sector: null, classification: 'provider' });
    expect(profile.updatedAt).toBe(20);
  });
});

test.each([['constructor'], ['__proto__'], ['toString']])(
  'keeps a country or exchange named %s as text',
  (name) => {
    const list = historyOf('nasdaq', 'NRTH', [
      10,
      { country: name, exchange: name, sicCode: name },
    ]);
    expect(profileOf([list])).toMatchObject({
      country: name,
      countryCode: null,
      countryEmoji: null,
      exchange: name,
      mic: null,
      sector: null,
    });
  },
);

function full(histories: readonly ObservationHistory<ProfileObservation>[]) {
  return deriveProfile({ security: NORTHGATE, isOnlyClass: true, histories });
}

function profileOf(histories: readonly ObservationHistory<ProfileObservation>[]) {
  return full(histories).fields;
}

function historyOf(
  provider: string,
  subject: string,
  ...fields: readonly (readonly [at: number, fields: ProfileObservation])[]
): ObservationHistory<ProfileObservation> {
  return {
    provider,
    feed: 'list',
    entityKey: subject,
    naturalKey: 'profile',
    observations: fields.map(([at, fields]) => ({ at, recordId: 1, fields })),
  };
}
