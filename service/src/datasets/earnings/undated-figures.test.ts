import { expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import type { FiguresObservation } from './observation.ts';
import {
  derive,
  filed,
  nasdaq,
  onlyEvent,
  row,
  history,
} from '../../../test/support/earnings-histories.ts';

const EARLY = '2025-12-01T12:00:00Z';
const EVE = '2026-02-09T22:00:00Z';
const PAST = '2026-02-12T12:00:00Z';

function figures(fields: Partial<FiguresObservation> = {}): FiguresObservation {
  return {
    kind: 'figures',
    symbol: 'NRTH',
    fiscalPeriodEnd: localDate('2025-12-31'),
    fiscalPeriodPrecision: 'month',
    epsBasis: 'adjusted',
    ...fields,
  };
}

function yahoo(
  naturalKey: string,
  ...fields: (readonly [at: string, fields: FiguresObservation])[]
): ReturnType<typeof history> {
  return history('yahoo/quote-summary', naturalKey, fields);
}

test('uses figures without a date to fill gaps in the report for their quarter', () => {
  const event = onlyEvent(
    derive([
      nasdaq([EVE, row('2026-02-10', { epsEstimate: '1.2' })]),
      yahoo('ahead:2025-12', [EVE, figures({ epsEstimate: '9', revenueEstimate: '5000000' })]),
    ]),
  );
  expect(event).toMatchObject({
    date: '2026-02-10',
    epsEstimate: '1.2',
    revenueEstimate: '5000000',
    provenance: { revenueEstimate: { provider: 'yahoo' }, epsEstimate: { provider: 'nasdaq' } },
  });
});

test('quarantines figures for a quarter until a source provides its report date', () => {
  const onlyFigures = derive([yahoo('result:2025-12', [PAST, figures({ eps: '1.3' })])]);
  expect(onlyFigures.events).toEqual([]);
  expect([...onlyFigures.quarantined.values()].map(({ reason }) => reason)).toEqual([
    'release-date-unknown',
  ]);
});

test('treats a report as published once its result is known, and keeps the consensus seen before', () => {
  const event = onlyEvent(
    derive([
      nasdaq([EARLY, row('2026-02-10')]),
      yahoo('ahead:2025-12', [EARLY, figures({ revenueEstimate: '4000000' })]),
      yahoo('ahead:2025-12', [EVE, figures({ revenueEstimate: '5000000' })]),
      yahoo('result:2025-12', [PAST, figures({ eps: '1.3', epsEstimate: '1.25' })]),
    ]),
  );
  expect(event).toMatchObject({
    dateStatus: 'projected',
    eps: '1.3',
    epsEstimate: '1.25',
    epsBasis: 'adjusted',
    revenueEstimate: '5000000',
  });
});

test('shows a filed result beside a consensus, until the source of the consensus has the result too', () => {
  const ahead = yahoo('ahead:2025-12', [EVE, figures({ epsEstimate: '1.2' })]);
  const result = yahoo('result:2025-12', [PAST, figures({ eps: '1.3', epsEstimate: '1.2' })]);
  const others = [nasdaq([EVE, row('2026-02-10')]), filed('2025-12-31')];
  expect(onlyEvent(derive([...others, ahead]))).toMatchObject({
    eps: '0.9',
    epsEstimate: '1.2',
    epsBasis: 'gaap',
    isEpsComparable: false,
  });
  expect(onlyEvent(derive([...others, ahead, result]))).toMatchObject({
    eps: '1.3',
    epsEstimate: '1.2',
    epsBasis: 'adjusted',
    isEpsComparable: true,
  });
});

test('takes the fiscal period from undated figures for a company whose calendar rows have no period', () => {
  const event = onlyEvent(
    derive([
      history('fmp/earnings-calendar', 'date:2026-02-26', [
        [EVE, row('2026-02-26', { fiscalPeriodEnd: null })],
      ]),
      yahoo('ahead:2026-01', [
        EVE,
        figures({ fiscalPeriodEnd: localDate('2026-01-31'), epsEstimate: '2' }),
      ]),
    ]),
  );
  expect(event).toMatchObject({ date: '2026-02-26', epsEstimate: '2' });
});
