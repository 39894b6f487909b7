import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { DESCRIBED_ACTIONS, describeAction } from './action-descriptions.ts';
import { AUDIT_TOPICS } from './audit-topics.ts';

const SERVICE = fileURLToPath(new URL('../../../service/src', import.meta.url));
/** Matches the action names in the service code that records audit events. */
const RECORDED = /(?:act: |act = |record\(|\? |(?<=\? '\S+') : |planAct\()'([a-z-]+\.[a-z-]+)'/g;

function serviceActions(): string[] {
  const files = globSync('{accounts,deliveries,http,cli}/**/*.ts', { cwd: SERVICE });
  const texts = files
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(`${SERVICE}/${file}`, 'utf8'));
  return texts.flatMap((text) => [...text.matchAll(RECORDED)].map(([, action = '']) => action));
}

test('covers every action that the service records', () => {
  const actions = serviceActions();
  expect(actions.length).toBeGreaterThan(40);
  expect(actions.filter((action) => !DESCRIBED_ACTIONS.has(action))).toEqual([]);
});

test('includes details, and leaves no gap for missing ones', () => {
  const details = { name: 'night job', prefix: 'eds_live_ab12', last4: 'Zq9x' };
  expect([
    describeAction('key.create', details),
    describeAction('key.revoke', { prefix: 'eds_live_ab12', last4: 'Zq9x' }),
    describeAction('person.change-role', { email: 'ida@example.com', role: 'owner' }),
    describeAction('webhook.create', {}),
    describeAction('webhook.change', { url: 'https://a.example/' }),
    describeAction('webhook.change', { url: 'https://a.example/', enabled: false }),
  ]).toEqual([
    'created API key night job (eds_live_ab12…Zq9x)',
    'revoked API key eds_live_ab12…Zq9x',
    'changed the role of ida@example.com to owner',
    'created an endpoint',
    'updated endpoint https://a.example/',
    'updated and disabled endpoint https://a.example/',
  ]);
});

test('describes an accepted invitation as joining', () => {
  const details = { email: 'ida@example.com', role: 'owner' };
  expect([
    describeAction('person.create', details, 'ida@example.com'),
    describeAction('person.create', details, 'you@example.com'),
  ]).toEqual(['joined as owner', 'added ida@example.com as owner']);
});

test('shows an unknown action by its name', () => {
  expect(describeAction('moon.land', {})).toBe('moon.land');
});

test('has a filter topic for every action, and an action for every topic', () => {
  const prefixes = AUDIT_TOPICS.service.map(({ value }) => value);
  const actions = [...DESCRIBED_ACTIONS];
  expect(actions.filter((action) => !prefixes.some((begin) => action.startsWith(begin)))).toEqual(
    [],
  );
  expect(prefixes.filter((begin) => !actions.some((action) => action.startsWith(begin)))).toEqual(
    [],
  );
  expect(prefixes).toEqual(expect.arrayContaining(AUDIT_TOPICS.account.map(({ value }) => value)));
});
