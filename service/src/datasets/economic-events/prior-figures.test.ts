import { expect, test } from 'vitest';
import { localDate } from '../../domain/local-date.ts';
import { withPriorFigures } from './prior-figures.ts';
import type { EconomicEvent } from './row.ts';

type Figures = Partial<Pick<EconomicEvent, 'actual' | 'previous' | 'revised'>>;

function event(
  id: string,
  date: string,
  figures: Figures = {},
  provider = 'us-agencies',
): EconomicEvent {
  const end = id.split(':')[1] ?? '';
  const source = { provider, feed: 'figures', seenAt: 1000 };
  const provenance = Object.fromEntries(
    ['schedule', ...Object.keys(figures)].map((name) => [name, source]),
  );
  return {
    id,
    country: 'United States',
    countryCode: 'US',
    eventName: id,
    date: localDate(date),
    time: '08:30',
    scheduledAt: 0,
    timeStatus: 'exact',
    actual: null,
    consensus: null,
    previous: null,
    revised: null,
    actualValue: null,
    consensusValue: null,
    previousValue: null,
    revisedValue: null,
    unit: null,
    measure: null,
    period: /^\d{4}-(?:\d{2}|Q\d)$/.test(end) ? end : null,
    importance: 3,
    usMajor: true,
    sourceUrl: null,
    provenance,
    updatedAt: 1000,
    ...figures,
  };
}

function lastOf(...events: EconomicEvent[]): EconomicEvent | undefined {
  return withPriorFigures(events).at(-1);
}

test('shows what an agency first published as previous, and its new figure as revised', () => {
  const result = lastOf(
    event('us-retail-sales-mom:2026-09', '2026-10-16', { actual: '0.3%' }),
    event('us-retail-sales-mom:2026-10', '2026-11-17', { actual: '0.5%', previous: '0.1%' }),
  );
  expect(result).toMatchObject({
    actual: '0.5%',
    previous: '0.3%',
    revised: '0.1%',
    previousValue: '0.3',
    revisedValue: '0.1',
    unit: 'percent',
  });
});

test('has no revision if the figure of the month before is unchanged', () => {
  const result = lastOf(
    event('us-cpi-mom:2026-09', '2026-10-14', { actual: '0.2%' }),
    event('us-cpi-mom:2026-10', '2026-11-12', { actual: '0.3%', previous: '0.2%' }),
  );
  expect(result).toMatchObject({ previous: '0.2%', revised: null });
});

test('shows the estimate before as the previous figure of a quarter, without a revision', () => {
  const result = lastOf(
    event('us-gdp-qoq-advance:2026-Q3', '2026-10-29', { actual: '3.0%' }),
    event('us-gdp-qoq-second:2026-Q3', '2026-11-25', { actual: '3.2%', previous: '2.1%' }),
  );
  expect(result).toMatchObject({ previous: '3.0%', revised: null });
});

test('fills the previous figure of releases to come, weekly and monthly', () => {
  const claims = withPriorFigures([
    event('us-initial-jobless-claims:2026-11-12', '2026-11-12', { actual: '230K' }),
    event('us-initial-jobless-claims:2026-11-19', '2026-11-19', { actual: '221K' }),
    event('us-initial-jobless-claims:2026-11-25', '2026-11-25'),
  ]);
  expect(claims.map(({ previous }) => previous)).toEqual([null, '230K', '221K']);
  expect(claims[2]).toMatchObject({ previousValue: '221', unit: 'thousand' });
  const result = lastOf(
    event('us-ppi-yoy:2026-09', '2026-10-15', { actual: '2.7%' }, 'nasdaq'),
    event('us-ppi-yoy:2026-10', '2026-11-13'),
  );
  expect(result).toMatchObject({
    previous: '2.7%',
    provenance: { previous: { provider: 'nasdaq' } },
  });
});

test('leaves the figures of other providers, and of releases long before, as they are', () => {
  const previous = { actual: '0.5%', previous: '0.1%' };
  const stated = lastOf(
    event('us-retail-sales-mom:2026-09', '2026-10-16', { actual: '0.3%' }),
    event('us-retail-sales-mom:2026-10', '2026-11-17', previous, 'nasdaq'),
  );
  expect(stated).toMatchObject({ previous: '0.1%', revised: null });
  const late = lastOf(
    event('us-ppi-mom:2026-09', '2026-10-15', { actual: '0.2%' }),
    event('us-ppi-mom:2026-10', '2026-12-16'),
  );
  expect(late).toMatchObject({ previous: null });
});
