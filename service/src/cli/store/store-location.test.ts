import { expect, test } from 'vitest';
import { startKind, storeFolder } from '../../app/store-kind.ts';
import { chooseStore } from './store-location.ts';

const none = { live: false, sandbox: false };
const both = { live: true, sandbox: true };
const live = { live: true, sandbox: false };
const sandbox = { live: false, sandbox: true };

test.each([
  ['with no store at all, the sandbox', {}, 'sandbox'],
  ['after a plain start, the sandbox', { exists: sandbox }, 'sandbox'],
  ['after a start on recordings, the live store', { exists: live }, 'live'],
  ['of two stores, the one a service holds', { exists: both, isServed: sandbox }, 'sandbox'],
  ['of two stores, the live one that is held', { exists: both, isServed: live }, 'live'],
  ['with sources configured, live', { isLiveConfigured: true, exists: sandbox }, 'live'],
  [
    'with sources and a running sandbox, live',
    { isLiveConfigured: true, isServed: sandbox },
    'live',
  ],
  [
    'with --sandbox, the sandbox',
    { isSandboxAsked: true, exists: both, isServed: live },
    'sandbox',
  ],
  ['--sandbox beats sources', { isSandboxAsked: true, isLiveConfigured: true }, 'sandbox'],
] as const)('%s', (_, facts, kind) => {
  const nothing = { isSandboxAsked: false, isLiveConfigured: false, exists: none, isServed: none };
  expect(chooseStore({ ...nothing, ...facts })).toEqual({ kind, note: null });
});

test.each([none, both])(
  'when two stores are equally good, live is taken and it is said',
  (isServed) => {
    const facts = { isSandboxAsked: false, isLiveConfigured: false, exists: both, isServed };
    const { kind, note } = chooseStore(facts);
    expect(kind).toBe('live');
    expect(note).toContain('--sandbox');
  },
);

test.each([
  [[], null, 'sandbox'],
  [['sandbox'], null, 'sandbox'],
  [['exchange'], null, 'live'],
  [[], '/recordings', 'live'],
])('a start with sources %j and replay %j opens the %s store', (sources, replay, kind) => {
  expect(startKind({ sources, replay })).toBe(kind);
});

test('the two stores have folders of their own', () => {
  expect(storeFolder('/d', 'live')).not.toBe(storeFolder('/d', 'sandbox'));
});
