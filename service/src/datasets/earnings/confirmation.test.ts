import { expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import {
  derive,
  figure,
  filed,
  filing,
  onlyEvent,
  release,
} from '../../../test/support/earnings-histories.ts';
import { latest } from '../source-records/observation-history.ts';
import { confirmStated } from './confirmation.ts';
import type { FinancialsObservation, StatedFigureObservation } from './observation.ts';

const ACCEPTED = '2026-02-10T21:05:00Z';
const SPLIT = {
  date: localDate('2026-02-15'),
  after: localDate('2026-02-15'),
  ratio: { numerator: 4, denominator: 1 },
};

function stated(
  name: 'epsGaap' | 'epsAdjusted' | 'revenue',
  value: string,
  fields: Partial<StatedFigureObservation> = {},
): StatedFigureObservation {
  const [, history] = release(ACCEPTED, { [name]: [value] });
  if (history === undefined) throw new Error('no figure');
  return { ...(latest(history).fields as StatedFigureObservation), ...fields };
}

function facts(fields: Partial<FinancialsObservation> = {}, periodEnd = '2025-12-31') {
  return latest(filed(periodEnd, fields)).fields as FinancialsObservation;
}

test.each([
  ['epsGaap', '1.4', '1.40', 'confirmed'],
  ['epsGaap', '1.4', '1.403', 'confirmed'],
  ['epsGaap', '1.4', '1.41', 'contradicted'],
  ['epsGaap', '0.125', '0.127', 'contradicted'],
  ['epsGaap', '0.15', '-0.15', 'contradicted'],
  ['epsAdjusted', '1.4', '1.4', 'not-filed'],
  ['revenue', '410200000', '410249999', 'confirmed'],
  ['revenue', '410200000', '410251000', 'contradicted'],
  ['revenue', '410200000', '410200', 'contradicted'],
  ['revenue', '410200123', '410200124', 'contradicted'],
  ['revenue', '2000000000', '2000500000', 'confirmed'],
  ['revenue', '2000000000', '2040000000', 'contradicted'],
] as const)('%s %s beside %s is %s', (name, value, own, expected) => {
  const figures = { epsDiluted: figure(own), revenue: figure(own) };
  expect(confirmStated(stated(name, value), facts(figures))).toBe(expected);
});

test('takes the unit of a sentence from all zeros of its amount', () => {
  const cell = { row: 'Revenue was $2.1 billion.', column: null, offset: 1 };
  const revenue = stated('revenue', '2100000000', { cell });
  expect(confirmStated(revenue, facts({ revenue: figure('2140000000') }))).toBe('confirmed');
});

test('compares only the same quarter in the same currency', () => {
  const revenue = stated('revenue', '900');
  expect(confirmStated(revenue, null)).toBe('not-filed');
  expect(confirmStated(revenue, facts({}, '2025-09-30'))).toBe('not-filed');
  expect(confirmStated(revenue, facts({ currency: 'EUR' }))).toBe('not-filed');
  expect(confirmStated(revenue, facts({ revenue: null }))).toBe('not-filed');
});

test('compares EPS across a split between the release and the filing', () => {
  const filedEps = facts({ epsDiluted: figure('0.35') });
  expect(confirmStated(stated('epsGaap', '1.4'), filedEps, [])).toBe('contradicted');
  expect(confirmStated(stated('epsGaap', '1.4'), filedEps, [SPLIT])).toBe('confirmed');
  const later = { ...SPLIT, date: localDate('2026-02-21') };
  expect(confirmStated(stated('epsGaap', '1.4'), filedEps, [later])).toBe('contradicted');
});

test('lets the year minus nine months confirm but not contradict', () => {
  const derived = (value: string) => facts({ epsDiluted: { ...figure(value), derived: true } });
  expect(confirmStated(stated('epsGaap', '1.4'), derived('1.4'))).toBe('confirmed');
  expect(confirmStated(stated('epsGaap', '1.4'), derived('1.43'))).toBe('not-filed');
});

test('the filed figures replace contradicted ones that no calendar has', () => {
  const told = [
    filing(ACCEPTED, ACCEPTED),
    ...release(ACCEPTED, { epsGaap: ['0.80'], revenue: ['900'] }),
  ];
  const own = filed('2025-12-31', { epsDiluted: figure('0.91'), revenue: figure('950') });
  expect(onlyEvent(derive(told))).toMatchObject({ eps: '0.80', epsGaap: '0.80', revenue: '900' });
  for (const order of [
    [...told, own],
    [own, ...told],
  ]) {
    const event = onlyEvent(derive(order));
    expect(event).toMatchObject({ eps: '0.91', epsGaap: '0.91', revenue: '950' });
    expect(event.provenance.eps).toMatchObject({ feed: 'companyfacts' });
  }
});
