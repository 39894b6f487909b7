import { expect, test } from 'vitest';
import { receiver } from '../../../test/support/agent-world.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import { openSocket } from './open-socket.ts';
import { trustedRoots } from './trusted-roots.ts';

test('a connection that ended up elsewhere than it was sent is closed before a word', async () => {
  const listener = await receiver(() => undefined);
  const opening = openSocket({
    // The system takes this for the loopback.
    address: '0.0.0.0',
    port: listener.port,
    servername: null,
    clock: fakeClock(0),
    secureContext: trustedRoots(null),
    signal: new AbortController().signal,
  });
  await expect(opening).rejects.toMatchObject({ code: 'blocked_address' });
  await listener.quiet();
  expect(listener.received.toString()).toBe('');
});

test.each(['', 'no certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'])(
  'a file of authorities that holds none is refused at the start: %j',
  (pem) => {
    expect(() => trustedRoots(pem)).toThrow(/PEM|asn1|certificate/i);
  },
);
