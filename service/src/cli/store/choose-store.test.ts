import { expect, test } from 'vitest';
import { startKind, storeFolder } from '../../app/store-kind.ts';
import { chooseStore } from './open-command-store.ts';

const none = { live: false, sandbox: false };
const both = { live: true, sandbox: true };
const live = { live: true, sandbox: false };
const sandbox = { live: false, sandbox: true };

test.each([
  ['chooses the sandbox without any store', {}, 'sandbox'],
  ['chooses the sandbox if only it exists', { exists: sandbox }, 'sandbox'],
  ['chooses the live store if only it exists', { exists: live }, 'live'],
  ['chooses the sandbox that a service has open', { exists: both, isServed: sandbox }, 'sandbox'],
  ['chooses the live store that a service has open', { exists: both, isServed: live }, 'live'],
  [
    'chooses the live store with sources configured',
    { isLiveConfigured: true, exists: sandbox },
    'live',
  ],
  [
    'prefers configured sources to a running sandbox',
    { isLiveConfigured: true, isServed: sandbox },
    'live',
  ],
  [
    'chooses the sandbox with --sandbox',
    { isSandboxRequested: true, exists: both, isServed: live },
    'sandbox',
  ],
  [
    'prefers --sandbox to configured sources',
    { isSandboxRequested: true, isLiveConfigured: true },
    'sandbox',
  ],
] as const)('%s', (_, state, kind) => {
  const noStore = {
    isSandboxRequested: false,
    isLiveConfigured: false,
    exists: none,
    isServed: none,
  };
  expect(chooseStore({ ...noStore, ...state })).toEqual({ kind, note: null });
});

test.each([none, both])(
  'chooses the live store and adds a note if the user could mean either store',
  (isServed) => {
    const state = { isSandboxRequested: false, isLiveConfigured: false, exists: both, isServed };
    const { kind, note } = chooseStore(state);
    expect(kind).toBe('live');
    expect(note).toContain('--sandbox');
  },
);

test.each([
  [[], null, 'sandbox'],
  [['sandbox'], null, 'sandbox'],
  [['exchange'], null, 'live'],
  [[], '/recordings', 'live'],
])(
  'given the sources %j and the replay folder %j, starts with the %s store',
  (sources, replay, kind) => {
    expect(startKind({ sources, replay })).toBe(kind);
  },
);

test('keeps the sandbox store and the live store in separate folders', () => {
  expect(storeFolder('/d', 'live')).not.toBe(storeFolder('/d', 'sandbox'));
});
