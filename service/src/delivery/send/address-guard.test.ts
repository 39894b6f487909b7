import { expect, test } from 'vitest';
import { devAllow, NO_DEV_ALLOW } from '../../webhooks/address/dev-allow.ts';
import { toAddressRange } from '../../webhooks/address/forbidden-address.ts';
import { fakeClock } from '../../../test/support/fake-clock.ts';
import type { ResolvedAddress } from './resolver.ts';
import { AddressGuard } from './address-guard.ts';

type ScriptedAnswer = readonly ResolvedAddress[] | 'fails' | 'hangs';

function world(
  script: (family: 4 | 6, n: number) => ScriptedAnswer,
  allow: readonly string[] = [],
  deny: readonly string[] = [],
) {
  const clock = fakeClock(Date.UTC(2026, 10, 20));
  let lookupCount = 0;
  const guard = new AddressGuard({
    clock,
    rules: {
      ports: [443],
      devAllow: allow.length === 0 ? NO_DEV_ALLOW : devAllow(allow),
      denied: deny.map(toAddressRange),
    },
    resolver: {
      async resolve(_name, family) {
        const addresses = script(family, Math.floor(lookupCount++ / 2));
        if (addresses === 'fails') throw Object.assign(new Error(), { code: 'ESERVFAIL' });
        return addresses === 'hangs' ? new Promise(() => undefined) : addresses;
      },
    },
  });
  return { clock, guard, lookups: () => lookupCount / 2 };
}

function at(address: string, ttlSeconds = 300): ResolvedAddress {
  return { address, ttlSeconds };
}

const NAME = 'hooks.example.com';

test('returns all addresses of both families in normalized form, IPv4 first', async () => {
  const { guard } = world((family) =>
    family === 4 ? [at('8.8.8.8'), at('1.1.1.1')] : [at('2606:4700:0:0:0:0:0:1111')],
  );
  expect(await guard.resolve(NAME, 443)).toEqual(['8.8.8.8', '1.1.1.1', '2606:4700::1111']);
});

test('accepts a host name that has only IPv6 addresses', async () => {
  const { guard } = world((family) => (family === 4 ? [] : [at('2606:4700::1111')]));
  expect(await guard.resolve(NAME, 443)).toEqual(['2606:4700::1111']);
});

test.each(['fails', 'hangs'] as const)(
  'uses the addresses of one IP family when the lookup for the other %s',
  async (failure) => {
    const { clock, guard } = world((family) => (family === 4 ? [at('8.8.8.8')] : failure));
    const vetted = guard.resolve(NAME, 443);
    await clock.advance(5_000);
    expect(await vetted).toEqual(['8.8.8.8']);
  },
);

test('caches a DNS answer for its TTL, but at most for one minute', async () => {
  for (const [ttlSeconds, holdsMs] of [
    [300, 60_000],
    [60, 60_000],
    [5, 5_000],
  ] as const) {
    const { clock, guard, lookups } = world((family) =>
      family === 4 ? [at('8.8.8.8', 3_600), at('1.1.1.1', ttlSeconds)] : [],
    );
    await guard.resolve(NAME, 443);
    await clock.advance(holdsMs - 1);
    await guard.resolve(NAME, 443);
    expect([lookups(), guard.resolveCached(NAME, 443)]).toEqual([1, ['8.8.8.8', '1.1.1.1']]);
    await clock.advance(1);
    expect(guard.resolveCached(NAME, 443)).toBeNull();
    await guard.resolve(NAME, 443);
    expect(lookups()).toBe(2);
  }
});

test('looks up a host name on every attempt if its DNS answer has a TTL of zero', async () => {
  const { guard, lookups } = world((family, n) => (family === 4 ? [at(`8.8.8.${n}`, 0)] : []));
  expect(await guard.resolve(NAME, 443)).toEqual(['8.8.8.0']);
  expect(await guard.resolve(NAME, 443)).toEqual(['8.8.8.1']);
  expect(lookups()).toBe(2);
});

test('shares one DNS lookup among concurrent callers', async () => {
  const { guard, lookups } = world((family) => (family === 4 ? [at('8.8.8.8', 0)] : []));
  await Promise.all(Array.from({ length: 50 }, () => guard.resolve(NAME, 443)));
  expect(lookups()).toBe(1);
});

test('does not cache a blocked DNS answer', async () => {
  const { guard } = world((family, n) => {
    if (family === 6) return [];
    return [[at('10.0.0.1', 0)], 'fails' as const, [at('8.8.8.8')]][n] ?? [];
  });
  await expect(guard.resolve(NAME, 443)).rejects.toMatchObject({ code: 'blocked_address' });
  await expect(guard.resolve(NAME, 443)).rejects.toMatchObject({ code: 'dns' });
  expect(await guard.resolve(NAME, 443)).toEqual(['8.8.8.8']);
});

test.each(['127.0.0.1%eth0', 'fe80::1%eth0', '0x7f.1', 'hooks', ''])(
  'blocks a DNS answer that contains an invalid address: %j',
  async (address) => {
    const { guard } = world((family) => (family === 4 ? [at('8.8.8.8'), at(address)] : []));
    await expect(guard.resolve(NAME, 443)).rejects.toMatchObject({ code: 'blocked_address' });
  },
);

test('resolves localhost without DNS to the loopback addresses that the rules allow', async () => {
  const { guard, lookups } = world(() => [], ['127.0.0.1:3000', '[::1]:3001']);
  expect(await guard.resolve('localhost', 3000)).toEqual(['127.0.0.1']);
  expect(await guard.resolve('localhost', 3001)).toEqual(['::1']);
  await expect(guard.resolve('localhost', 3002)).rejects.toMatchObject({
    code: 'blocked_address',
  });
  expect(lookups()).toBe(0);
});

test('blocks the networks of the operator, although they are public, and wins over exceptions', async () => {
  const own = ['198.41.0.0/24', '2600:1f18::/32', '10.1.0.9'];
  const blocked = { code: 'blocked_address', addressClass: 'denied' };
  for (const address of ['198.41.0.4', '2600:1f18::1']) {
    const { guard } = world((family) => (family === 4 ? [at(address)] : []), [], own);
    await expect(guard.resolve(NAME, 443)).rejects.toMatchObject(blocked);
  }
  const { guard } = world(() => [at('10.1.0.9')], ['10.1.0.0/16:443'], own);
  await expect(guard.resolve(NAME, 443)).rejects.toMatchObject(blocked);
});

test.each(['10.0.0.1', '127.0.0.1', '169.254.169.254'])(
  'says the same about every address that is not public: %s',
  async (address) => {
    const { guard } = world((family) => (family === 4 ? [at(address)] : []));
    await expect(guard.resolve(NAME, 443)).rejects.toThrow(
      /^hooks\.example\.com does not lead to a public address\.$/,
    );
  },
);
