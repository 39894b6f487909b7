import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { addSecurityText } from './security-text.ts';

test('serves the contact with an expiry that is always in the future', async () => {
  const clock = fakeClock(Date.UTC(2026, 10, 20));
  const app = fastify();
  addSecurityText(app, {
    contact: 'mailto:security@example.com',
    publicUrl: 'https://earnings.example.com',
    clock,
  });
  const read = () => app.inject('/.well-known/security.txt');
  const first = await read();
  expect(first.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(first.body).toBe(
    [
      'Contact: mailto:security@example.com',
      'Expires: 2027-05-19T00:00:00Z',
      'Preferred-Languages: en',
      'Canonical: https://earnings.example.com/.well-known/security.txt',
      '',
    ].join('\n'),
  );
  await clock.advance(86_400_000);
  expect((await read()).body).toContain('Expires: 2027-05-20T00:00:00Z');
});
