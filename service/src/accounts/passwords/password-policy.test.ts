import { expect, test } from 'vitest';
import { passwordProblem } from './password-policy.ts';

const person = { email: 'marta.vogel@northgate.example' };

test.each([
  'seven geese over a barn',
  'ßü漢字の合言葉 für mich allein',
  'mAk9 2pQx vv71 zzLr',
  'correct horse battery staple and a fence',
  'the yellow teapot sings',
  '83920174659283746',
  'x7$Kp2!mQ9#vL4@',
])('accepts the password %j', (password) => {
  expect(passwordProblem(password, person)).toBeNull();
});

test.each([
  'passwordpassword',
  'Password12345678',
  'P@ssword-P@ssword-1',
  'aaaaaaaaaaaaaaaaaaaa',
  '123456789012345',
  'abcdefghijklmnop',
  'qwertyuiopasdfghjkl',
  'letmeinletmeinletmein',
  'correct horse battery',
  'iloveyouiloveyou!!',
  'Welcome2026Welcome2026',
  'marta.vogel@northgate.example',
  'northgatenorthgate',
  'afterbellafterbell',
  '000000000000000000',
  '.................',
])('rejects the password %j as easy to guess', (password) => {
  expect(passwordProblem(password, person)).toContain('easy to guess');
});

test('accepts passwords with 15 to 256 characters and counts an emoji as one character', () => {
  expect(passwordProblem('geese over barn', person)).toBeNull();
  expect(passwordProblem('geese over bar', person)).toContain('at least 15');
  expect(passwordProblem('🦆🐎🦆🐎🦆🐎🦆', person)).toContain('at least 15');
  expect(passwordProblem('🦆🐎🐄🐖🐑🐐🐓🦃🐕🐈🐇🐁🐀🐿🦔', person)).not.toContain('at least');
  expect(passwordProblem(`seven geese ${'k'.repeat(250)}`, person)).toContain('at most 256');
});

test('checks every character of a password with the maximum length', () => {
  for (const password of ['7'.repeat(255), '0123456789'.repeat(25), 'password'.repeat(31)]) {
    expect(passwordProblem(password, person)).toContain('easy to guess');
    expect(passwordProblem(`${password}k`, person)).toBeNull();
  }
});

test('does not require particular kinds of characters in a password', () => {
  expect(passwordProblem('sevengeeseoverabarn', person)).toBeNull();
});
