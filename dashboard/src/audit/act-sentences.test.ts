import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { KNOWN_ACTS, sentenceOf } from './act-sentences.ts';
import { ABOUT } from './audit-about.ts';

const SERVICE = fileURLToPath(new URL('../../../service/src', import.meta.url));
/** Matches the action names in the service code that records audit events. */
const RECORDED = /(?:act: |act = |record\(|\? |(?<=\? '\S+') : |planAct\()'([a-z-]+\.[a-z-]+)'/g;

function actsOfService(): string[] {
  const files = globSync('{accounts,deliveries,http,cli}/**/*.ts', { cwd: SERVICE });
  const texts = files
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(`${SERVICE}/${file}`, 'utf8'));
  return texts.flatMap((text) => [...text.matchAll(RECORDED)].map(([, act = '']) => act));
}

test('covers every action that the service records', () => {
  const acts = actsOfService();
  expect(acts.length).toBeGreaterThan(40);
  expect(acts.filter((act) => !KNOWN_ACTS.has(act))).toEqual([]);
});

test('includes details, and leaves no gap for missing ones', () => {
  const details = { name: 'night job', prefix: 'eds_live_ab12', last4: 'Zq9x' };
  expect([
    sentenceOf('key.create', details),
    sentenceOf('key.revoke', { prefix: 'eds_live_ab12', last4: 'Zq9x' }),
    sentenceOf('person.change-role', { email: 'ida@example.com', role: 'owner' }),
    sentenceOf('webhook.create', {}),
    sentenceOf('webhook.change', { url: 'https://a.example/' }),
    sentenceOf('webhook.change', { url: 'https://a.example/', enabled: false }),
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
    sentenceOf('person.create', details, 'ida@example.com'),
    sentenceOf('person.create', details, 'you@example.com'),
  ]).toEqual(['joined as owner', 'added ida@example.com as owner']);
});

test('shows an unknown action by its name', () => {
  expect(sentenceOf('moon.land', {})).toBe('moon.land');
});

test('has a filter topic for every action, and an action for every topic', () => {
  const chosen = ABOUT.service.map(({ value }) => value);
  const acts = [...KNOWN_ACTS];
  expect(acts.filter((act) => !chosen.some((begin) => act.startsWith(begin)))).toEqual([]);
  expect(chosen.filter((begin) => !acts.some((act) => act.startsWith(begin)))).toEqual([]);
  expect(chosen).toEqual(expect.arrayContaining(ABOUT.account.map(({ value }) => value)));
});
