import { expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import { knownIdentity, plainId } from './event-id.ts';
import { knownEvent } from './identify-events.ts';

test.each([
  ['us-cpi-yoy', '2021-03-10', 'us-cpi-yoy:2021-02'],
  ['us-cpi-yoy', '2025-10-24', 'us-cpi-yoy:2025-09'],
  ['us-nonfarm-payrolls', '2021-03-05', 'us-nonfarm-payrolls:2021-02'],
  ['us-adp-employment', '2021-03-31', 'us-adp-employment:2021-03'],
  ['us-jolts-openings', '2023-10-03', 'us-jolts-openings:2023-08'],
  ['us-jolts-openings', '2021-03-11', 'us-jolts-openings:2021-01'],
  ['us-core-pce-mom', '2021-10-01', 'us-core-pce-mom:2021-08'],
  ['us-core-pce-mom', '2021-03-26', 'us-core-pce-mom:2021-02'],
  ['us-trade-balance', '2021-03-05', 'us-trade-balance:2021-01'],
  ['us-consumer-confidence', '2021-03-30', 'us-consumer-confidence:2021-03'],
  ['us-michigan-sentiment', '2021-03-12', 'us-michigan-sentiment-preliminary:2021-03'],
  ['us-michigan-sentiment', '2021-03-26', 'us-michigan-sentiment-final:2021-03'],
  ['us-gdp-qoq', '2021-01-28', 'us-gdp-qoq-advance:2020-Q4'],
  ['us-gdp-qoq', '2021-02-25', 'us-gdp-qoq-second:2020-Q4'],
  ['us-gdp-qoq', '2021-03-25', 'us-gdp-qoq-third:2020-Q4'],
  ['us-employment-cost-index', '2021-04-30', 'us-employment-cost-index:2021-Q1'],
  ['us-initial-jobless-claims', '2021-03-11', 'us-initial-jobless-claims:2021-03-11'],
  ['us-fomc-statement', '2021-03-17', 'us-fomc-statement:2021-03-17'],
])('%s released on %s is %s', (stem, date, id) => {
  const known = knownEvent(stem);
  expect(known && knownIdentity(known, localDate(date), null).id).toBe(id);
});

test('a period that a source names counts before the one that the day implies', () => {
  const known = knownEvent('us-nonfarm-payrolls');
  const identity = known && knownIdentity(known, localDate('2025-11-20'), '2025-09');
  expect(identity).toMatchObject({ id: 'us-nonfarm-payrolls:2025-09', period: '2025-09' });
});

test('other events are named by place, name and day', () => {
  const day = localDate('2021-03-09');
  expect(plainId('US', 'Redbook', 1, day)).toBe('us-redbook:2021-03-09');
  expect(plainId('US', "Fed's Balance Sheet ", 2, day)).toBe('us-fed-s-balance-sheet-2:2021-03-09');
  expect(plainId('EU', '—', 1, day)).toBe('eu-event:2021-03-09');
});
