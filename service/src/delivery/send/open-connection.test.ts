import { expect, test } from 'vitest';
import { receiver } from '../../../test/support/agent-world.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { openSocket } from './open-connection.ts';
import { TlsSessions } from './tls-sessions.ts';
import { trustedRoots } from './trusted-roots.ts';

test('closes a connection to an unexpected address before sending the first byte', async () => {
  const listener = await receiver(() => undefined);
  const opening = openSocket({
    // The operating system treats this address as the loopback address.
    address: '0.0.0.0',
    port: listener.port,
    origin: 'http://receiver.example',
    servername: null,
    clock: fakeClock(0),
    sessions: new TlsSessions(fakeClock(0)),
    proxy: null,
    secureContext: trustedRoots(null),
    signal: new AbortController().signal,
  });
  await expect(opening).rejects.toMatchObject({ code: 'blocked_address' });
  await listener.closed();
  expect(listener.received.toString()).toBe('');
});

test.each(['', 'no certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'])(
  'throws at startup if the file of certificate authorities is invalid: %j',
  (pem) => {
    expect(() => trustedRoots(pem)).toThrow(/PEM|asn1|certificate/i);
  },
);
