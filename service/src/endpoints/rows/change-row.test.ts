import type { TProperties, TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { expect, test } from 'vitest';
import { eventOf } from '../../../test/support/stored-earnings.ts';
import { changedFacts } from '../../datasets/versions/changed-facts.ts';
import type { Dividend } from '../../datasets/dividends/row.ts';
import type { EconomicEvent } from '../../datasets/economic-events/row.ts';
import type { Ipo } from '../../datasets/ipos/row.ts';
import type { ProfileFields } from '../../datasets/profiles/row.ts';
import { localDate } from '../../domain/local-date.ts';
import { endpoint as dividends } from '../calendar-dividends.ts';
import { endpoint as economicEvents } from '../calendar-economic.ts';
import { endpoint as ipos } from '../calendar-ipo.ts';
import { endpoint as earnings } from '../earnings.ts';
import { endpoint as profiles } from '../profile.ts';
import { CHANGING_DATASETS, HIDDEN_FIELDS, renderChange } from './change-row.ts';

const AT = Date.parse('2026-11-20T15:00:00Z');
const DAY = localDate('2026-11-20');

const earningsEvent = {
  ...eventOf('NRTH'),
  eps: '1.36',
  revenueEstimate: '790000000',
  revenue: '801500000.5',
  epsYearAgo: '1.1',
  reportedAt: AT,
  estimateAsOf: AT,
  revenueEstimateAsOf: AT,
  sourceUrl: 'https://example.com/8-k',
};

const economicEvent: EconomicEvent = {
  id: 'us-cpi-yoy:2026-10',
  country: 'United States',
  countryCode: 'US',
  eventName: 'CPI',
  date: DAY,
  time: '08:30',
  scheduledAt: AT,
  timeStatus: 'exact',
  actual: '3.1%',
  consensus: '3.0%',
  previous: '3.2%',
  revised: '3.3%',
  actualValue: '3.1',
  consensusValue: '3',
  previousValue: '3.2',
  revisedValue: '3.3',
  unit: 'percent',
  measure: 'yoy',
  period: '2026-10',
  importance: 3,
  usMajor: true,
  sourceUrl: 'https://example.com/cpi',
  provenance: {},
  updatedAt: AT,
};

const ipo: Ipo = {
  id: 'ipo_1',
  subject: 'quillon robotics',
  symbol: 'QLLN',
  companyName: 'Quillon Robotics Inc.',
  exchange: 'NASDAQ',
  mic: 'XNAS',
  date: DAY,
  dateStatus: 'expected',
  status: 'expected',
  offeringType: 'ipo',
  priceLow: '14',
  priceHigh: '16',
  price: '15.5',
  shares: '9000000',
  dealSize: '165600000',
  currency: 'USD',
  filedDate: DAY,
  pricedDate: DAY,
  withdrawnDate: DAY,
  underwriters: ['Example Bank'],
  lockupExpiration: DAY,
  cik: '0000000001',
  filingUrl: 'https://example.com/s-1',
  provenance: {},
  updatedAt: AT,
};

const dividend: Dividend = {
  id: 'div_1',
  securityId: 'sec_1',
  symbol: 'NRTH',
  name: 'Northgate Instruments Inc.',
  exDate: DAY,
  recordDate: DAY,
  paymentDate: DAY,
  declarationDate: DAY,
  amount: '0.42',
  splitAdjustedAmount: '0.21',
  currency: 'USD',
  type: 'cash',
  frequency: 'quarterly',
  annualizedAmount: '1.68',
  status: 'declared',
  flags: ['foreign'],
  provenance: {},
  updatedAt: AT,
};

const profile: ProfileFields = {
  companyName: 'Northgate Instruments Inc.',
  cik: '0000000001',
  exchange: 'NASDAQ',
  mic: 'XNAS',
  sector: 'Technology',
  industry: 'Measuring devices',
  sicCode: '3825',
  classification: 'sic',
  country: 'United States',
  countryCode: 'US',
  countryEmoji: '🇺🇸',
  type: 'equity',
  tags: ['adr'],
  outstandingShares: '120000000',
  outstandingSharesAllClasses: '130000000',
  sharesAsOf: DAY,
  active: true,
  listDate: DAY,
  delistDate: DAY,
  formerSymbols: [{ symbol: 'OLDN', until: DAY }],
  fiscalYearEnd: '12-31',
};

const NAMES = { id: '', provenance: {}, updatedAt: AT };

test.each([
  ['earnings', changedFacts(null, earningsEvent), earningsEvent, earnings.response],
  ['economic-events', changedFacts(null, economicEvent), economicEvent, economicEvents.response],
  ['ipos', changedFacts(null, ipo), ipo, ipos.response],
  ['dividends', changedFacts(null, dividend), dividend, dividends.response],
  ['profiles', changedFacts(null, { ...NAMES, ...profile }), profile, profiles.response],
])(
  'converts every field of a %s change to the format of the corresponding list',
  (dataset, names, facts, response) => {
    expect(CHANGING_DATASETS).toContain(dataset);
    const properties = propertiesOf(response);
    const fields = rendered(dataset, names, facts);
    const unfit = Object.entries(fields).filter(([name, { from, to }]) => {
      const schema = properties[name];
      const fits = schema !== undefined && Compile(schema).Check(to);
      return !fits || from !== null;
    });
    // The list has no withdrawal date, but its status shows that a deal was withdrawn.
    expect(unfit.map(([name]) => name)).toEqual(dataset === 'ipos' ? ['withdrawnDate'] : []);
    expect(Object.keys(fields).toSorted()).toEqual(
      names.filter((name) => !HIDDEN_FIELDS.includes(name)).toSorted(),
    );
  },
);

function rendered(dataset: string, changedFields: string[], facts: object) {
  const fields = Object.fromEntries(
    changedFields.map((name) => [name, { from: null, to: Reflect.get(facts, name) as unknown }]),
  );
  const row = renderChange({
    id: 1,
    committedAt: AT,
    observedAt: AT,
    dataset,
    entityId: 'x',
    symbol: 'NRTH',
    kind: 'added',
    changedFields,
    fields: JSON.parse(JSON.stringify(fields)) as typeof fields,
  });
  if (row.fields === null) throw new Error('the values are missing');
  return row.fields;
}

/** Returns the fields that a row has in any of the response formats. */
function propertiesOf(schema: TSchema): TProperties {
  if ('items' in schema) return propertiesOf(schema.items as TSchema);
  if ('anyOf' in schema) return propertiesOf((schema.anyOf as TSchema[])[0] ?? {});
  return 'properties' in schema ? (schema.properties as TProperties) : {};
}
