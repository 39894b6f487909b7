import { expect, test } from 'vitest';
import { closestMatch } from './closest-match.ts';

const CANDIDATES = ['PORT', 'HOST', 'DATA_DIR', 'LOG_LEVEL'];

test.each([
  ['PROT', 'PORT'],
  ['port', 'PORT'],
  ['DATADIR', 'DATA_DIR'],
  ['LOG_LEVLE', 'LOG_LEVEL'],
  ['DATA_DIRS', 'DATA_DIR'],
])('for the mistyped name %s, suggests %s', (typed, expected) => {
  expect(closestMatch(typed, CANDIDATES)).toBe(expected);
});

test.each(['DATABASE', 'X', '', 'LOUDNESS'])(
  'suggests no similar name for the input %j',
  (typed) => {
    expect(closestMatch(typed, CANDIDATES)).toBeNull();
  },
);
