import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { KNOWN_ACTS, sentenceOf } from './act-sentences.ts';
import { ABOUT } from './audit-about.ts';

const SERVICE = fileURLToPath(new URL('../../../service/src', import.meta.url));
/** How acts are written where they are recorded. */
const RECORDED = /(?:act: |act = |record\(|\? |(?<=\? '\S+') : |planAct\()'([a-z-]+\.[a-z-]+)'/g;

function actsOfService(): string[] {
  const files = globSync('{accounts,deliveries,http,cli}/**/*.ts', { cwd: SERVICE });
  const texts = files
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(`${SERVICE}/${file}`, 'utf8'));
  return texts.flatMap((text) => [...text.matchAll(RECORDED)].map(([, act = '']) => act));
}

test('every act that the service records has a sentence', () => {
  const acts = actsOfService();
  expect(acts.length).toBeGreaterThan(40);
  expect(acts.filter((act) => !KNOWN_ACTS.has(act))).toEqual([]);
});

test('details stand in the sentence, and what is missing leaves no hole', () => {
  const details = { name: 'night job', prefix: 'eds_live_ab12', last4: 'Zq9x' };
  expect([
    sentenceOf('key.create', details),
    sentenceOf('key.revoke', { prefix: 'eds_live_ab12', last4: 'Zq9x' }),
    sentenceOf('person.change-role', { email: 'ida@example.com', role: 'owner' }),
    sentenceOf('webhook.create', {}),
    sentenceOf('webhook.change', { url: 'https://a.example/' }),
    sentenceOf('webhook.change', { url: 'https://a.example/', enabled: false }),
  ]).toEqual([
    'made the key night job (eds_live_ab12…Zq9x)',
    'revoked the key eds_live_ab12…Zq9x',
    'made ida@example.com an owner',
    'added the endpoint',
    'changed the endpoint https://a.example/',
    'changed and disabled the endpoint https://a.example/',
  ]);
});

test('who accepts an invitation joined, and was not added by themselves', () => {
  const details = { email: 'ida@example.com', role: 'owner' };
  expect([
    sentenceOf('person.create', details, 'ida@example.com'),
    sentenceOf('person.create', details, 'you@example.com'),
  ]).toEqual(['joined as owner', 'added ida@example.com as owner']);
});

test('an act that is not known yet is shown by its name', () => {
  expect(sentenceOf('moon.land', {})).toBe('moon.land');
});

test('every act is about something that can be chosen, and every choice has an act', () => {
  const chosen = ABOUT.service.map(({ value }) => value);
  const acts = [...KNOWN_ACTS];
  expect(acts.filter((act) => !chosen.some((begin) => act.startsWith(begin)))).toEqual([]);
  expect(chosen.filter((begin) => !acts.some((act) => act.startsWith(begin)))).toEqual([]);
  expect(chosen).toEqual(expect.arrayContaining(ABOUT.account.map(({ value }) => value)));
});
