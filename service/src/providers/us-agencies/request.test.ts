import { expect, test } from 'vitest';
import { WELL_KNOWN_EVENTS } from '../../datasets/economic-events/well-known-events.ts';
import { localDate } from '../../domain/local-date.ts';
import type { PlanContext } from '../provider.ts';
import { provider } from './index.ts';

function contextWith(contact: string | undefined): PlanContext {
  const setting = (name: string) => (name === 'SEC_CONTACT' ? contact : undefined);
  const today = localDate('2026-11-20');
  const awaitedFigures = WELL_KNOWN_EVENTS.map(({ stem }) => ({
    stem,
    date: today,
    provider: null,
  }));
  return { now: 0, today, symbols: [], ciks: new Map(), awaitedFigures, setting };
}

test('names the software and the operator in every request, and never pretends to be a browser', () => {
  const context = contextWith('Jane Doe jane@example.org');
  const agents = provider.feeds.flatMap(
    (feed) => feed.plan?.(context).map(({ headers }) => headers['user-agent'] ?? '') ?? [],
  );
  expect(agents.length).toBeGreaterThan(10);
  for (const agent of agents) {
    expect(agent).toMatch(/^afterbell\/\d+\.\d+\.\d+ \(Jane Doe jane@example\.org\)$/);
  }
});

test('plans no request without a contact', () => {
  const plan = () => provider.feeds.flatMap((feed) => feed.plan?.(contextWith(undefined)) ?? []);
  expect(plan).toThrow('set SEC_CONTACT');
});
