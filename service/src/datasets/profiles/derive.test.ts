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
  listedAt: 5,
  symbols: [{ symbol: 'NRTH', from: null, to: null }],
};

describe('who is believed', () => {
  const filer = said('sec', 'CIK0009990001', [
    10,
    {
      companyName: 'Northgate Instruments Inc.',
      country: 'Canada',
      sicCode: '3823',
      exchange: 'OTC',
    },
  ]);
  const list = said('nasdaq', 'NRTH', [
    20,
    {
      companyName: 'Northgate Instruments Inc. Common Stock',
      country: 'United States',
      sector: 'Technology',
    },
  ]);

  test('the SEC for the name, Nasdaq’s list for sector and country, the listing for the exchange', () => {
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

  test('a list’s name without the words for its security, which still tell the kind', () => {
    expect(profileOf([list])).toMatchObject({ companyName: 'Northgate Instruments Inc.' });
    const warrant = said('nasdaq', 'NRTH', [20, { companyName: 'Northgate Corp. Warrants' }]);
    expect(profileOf([warrant])).toMatchObject({
      companyName: 'Northgate Corp.',
      type: 'non_equity',
    });
  });

  test('an operator’s file before all', () => {
    const file = said('files', 'NRTH', [1, { companyName: 'Northgate', sector: 'Instruments' }]);
    expect(profileOf([filer, list, file])).toMatchObject({
      companyName: 'Northgate',
      sector: 'Instruments',
      classification: 'operator',
    });
  });

  test('the SIC code gives the sector where no list does', () => {
    expect(profileOf([filer])).toMatchObject({ sector: 'Industrials', classification: 'sic' });
    expect(profileOf([])).toMatchObject({ sector: null, classification: 'provider' });
  });

  test('a source that sorts by names of its own only where neither list nor SIC code tells', () => {
    const words = { sector: 'Consumer Cyclical', industry: 'Specialty Retail' };
    const own = said('yahoo', 'NRTH', [30, words]);
    const other = said('alphavantage', 'NRTH', [40, { sector: 'Trade', country: 'Canada' }]);
    expect(profileOf([filer, own])).toMatchObject({ sector: 'Industrials', industry: null });
    expect(profileOf([list, own])).toMatchObject({ sector: 'Technology', industry: null });
    expect(profileOf([own, other])).toMatchObject({
      ...words,
      country: 'Canada',
      classification: 'provider',
    });
    expect(profileOf([other])).toMatchObject({ sector: 'Trade', industry: null });
  });

  test('the present symbol before a former one, whatever the alphabet says', () => {
    const renamed: Security = {
      ...NORTHGATE,
      symbols: [
        { symbol: 'AOLD', from: null, to: '2026-01-01' as never },
        { symbol: 'NRTH', from: '2026-01-02' as never, to: null },
      ],
    };
    const old = said('nasdaq', 'AOLD', [30, { sector: 'Energy' }]);
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

  test('a word that only repeats another counts no more for being newer', () => {
    const again = said('nasdaq', 'NRTH', [20, { sector: 'Energy' }], [40, { sector: 'Energy' }]);
    const once = said('nasdaq', 'NRTH', [20, { sector: 'Energy' }]);
    expect(whole([again])).toEqual(whole([once]));
  });
});

describe('shares', () => {
  const cover = said('sec', 'CIK0009990001', [
    10,
    { sharesOutstanding: '1000', sharesAsOf: '2026-01-31' as never },
  ]);

  test('of a company of one class are that class’s', () => {
    expect(profileOf([cover])).toMatchObject({
      outstandingShares: '1000',
      outstandingSharesAllClasses: '1000',
      sharesAsOf: '2026-01-31',
    });
  });

  test('of several classes are counted together, and no class has a number of its own', () => {
    const { fields } = deriveProfile({
      security: NORTHGATE,
      isOnlyClass: false,
      histories: [cover],
    });
    expect(fields).toMatchObject({ outstandingShares: null, outstandingSharesAllClasses: '1000' });
  });

  test('are not those of its preferred shares', () => {
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
  test('is when the newest fact was first said, however often since', () => {
    const list = said(
      'nasdaq',
      'NRTH',
      [10, { sector: 'Energy' }],
      [20, { sector: 'Technology' }],
      [30, { sector: 'Technology' }],
    );
    expect(whole([list]).updatedAt).toBe(20);
  });

  test('a value taken back is news', () => {
    const list = said('nasdaq', 'NRTH', [10, { sector: 'Energy' }], [20, { sector: null }]);
    const profile = whole([list]);
    expect(profile.fields).toMatchObject({ sector: null, classification: 'provider' });
    expect(profile.updatedAt).toBe(20);
  });
});

test.each([['constructor'], ['__proto__'], ['toString']])(
  'a country or exchange called %s is kept as text and breaks nothing',
  (word) => {
    const list = said('nasdaq', 'NRTH', [10, { country: word, exchange: word, sicCode: word }]);
    expect(profileOf([list])).toMatchObject({
      country: word,
      countryCode: null,
      countryEmoji: null,
      exchange: word,
      mic: null,
      sector: null,
    });
  },
);

function whole(histories: readonly ObservationHistory<ProfileObservation>[]) {
  return deriveProfile({ security: NORTHGATE, isOnlyClass: true, histories });
}

function profileOf(histories: readonly ObservationHistory<ProfileObservation>[]) {
  return whole(histories).fields;
}

function said(
  provider: string,
  subject: string,
  ...words: readonly (readonly [at: number, fields: ProfileObservation])[]
): ObservationHistory<ProfileObservation> {
  return {
    provider,
    feed: 'list',
    entityKey: subject,
    naturalKey: 'profile',
    observations: words.map(([at, fields]) => ({ at, recordId: 1, fields })),
  };
}
