import { expect, test } from 'vitest';
import { stubWorld } from '../../../test/support/stub-endpoints.ts';
import { createRoutes } from './routes.ts';
import { createTargetParser } from './request-target.ts';

const PATH = '/v1/calendar/stub?date=2026-11-20';

function isRemembered(rest: string): boolean {
  const targetOf = createTargetParser(createRoutes(stubWorld().endpoints));
  const first = targetOf(rest);
  expect(first?.endpoint.path).toBe('/v1/calendar/stub');
  return targetOf(rest) === first;
}

test('parses a repeated URL only once', () => {
  expect(isRemembered(`${PATH}&loud=1`)).toBe(true);
});

test.each([
  ['long', `${PATH}&x=${'y'.repeat(256)}`],
  ['of many parts', `${PATH}${'&a'.repeat(16)}`],
  ['with a key', `${PATH}&apikey=a`],
])('does not cache a parsed URL in this case: %s', (_, rest) => {
  expect(isRemembered(rest)).toBe(false);
});
