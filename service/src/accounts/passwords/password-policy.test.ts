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
])('accepts the password %j', async (password) => {
  expect(await passwordProblem(password, person)).toBeNull();
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
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb',
  'qazwsxedcrfvtgb',
  '123456789101112',
  '111222333444555',
  'manchesterunited',
  'tottenhamhotspur',
  'christopher12345',
  'earningscalendar',
  'annualreport2026',
  'januaryfebruarymarch',
  'correcthorsebatterystaple',
])('rejects the password %j as easy to guess', async (password) => {
  expect(await passwordProblem(password, person)).toContain('easy to guess');
});

test('accepts passwords with 15 to 256 characters and counts an emoji as one character', async () => {
  expect(await passwordProblem('geese over barn', person)).toBeNull();
  expect(await passwordProblem('geese over bar', person)).toContain('at least 15');
  expect(await passwordProblem('🦆🐎🦆🐎🦆🐎🦆', person)).toContain('at least 15');
  expect(await passwordProblem('🦆🐎🐄🐖🐑🐐🐓🦃🐕🐈🐇🐁🐀🐿🦔', person)).toBeNull();
  expect(await passwordProblem(`seven geese ${'k'.repeat(250)}`, person)).toContain('at most 256');
});

test('judges a long password by its first 64 characters', async () => {
  const phrase = 'seven geese over a barn';
  expect(await passwordProblem('7'.repeat(64) + phrase, person)).toContain('easy to guess');
  expect(await passwordProblem('7'.repeat(40) + phrase, person)).toBeNull();
  expect(await passwordProblem(phrase + '7'.repeat(230), person)).toBeNull();
});

test('does not require particular kinds of characters in a password', async () => {
  expect(await passwordProblem('sevengeeseoverabarn', person)).toBeNull();
});
