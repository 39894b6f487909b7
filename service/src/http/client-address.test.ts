import { expect, test } from 'vitest';
import { trustedProxies } from './client-address.ts';

test.each([
  ['no trusted proxy', [], '203.0.113.7', '1.2.3.4', '203.0.113.7'],
  ['a socket that is not the proxy', ['10.0.0.1'], '203.0.113.7', '1.2.3.4', '203.0.113.7'],
  ['one proxy', ['10.0.0.1'], '10.0.0.1', '198.51.100.4', '198.51.100.4'],
  [
    'a client that forges a chain',
    ['10.0.0.1'],
    '10.0.0.1',
    '1.1.1.1, 198.51.100.4',
    '198.51.100.4',
  ],
  [
    'two proxies in a CIDR block',
    ['10.0.0.0/8'],
    '10.0.0.1',
    '198.51.100.4, 10.9.9.9',
    '198.51.100.4',
  ],
  ['a chain of proxies only', ['10.0.0.0/8'], '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['an entry that is not an IP address', ['10.0.0.1'], '10.0.0.1', 'unknown', '10.0.0.1'],
  ['IPv4 over an IPv6 socket', ['10.0.0.1'], '::ffff:10.0.0.1', '198.51.100.4', '198.51.100.4'],
  [
    'a port after an IPv4 address',
    ['10.0.0.1'],
    '10.0.0.1',
    '1.1.1.1, 198.51.100.4:5001',
    '198.51.100.4',
  ],
  ['a port after an IPv6 address', ['10.0.0.1'], '10.0.0.1', '[2001:db8::7]:5001', '2001:db8::7'],
  [
    'a proxy with its port',
    ['10.0.0.0/8'],
    '10.0.0.1',
    '198.51.100.4, 10.0.0.2:80',
    '198.51.100.4',
  ],
  ['IPv6', ['::1', 'fd00::/8'], '::1', '2001:db8::7, fd00::2', '2001:db8::7'],
] as const)(
  'determines the client address with %s',
  (_, list, socketAddress, forwardedFor, expected) => {
    expect(trustedProxies(list).clientAddress(socketAddress, forwardedFor)).toBe(expected);
  },
);

test('uses the socket address if there is no X-Forwarded-For header', () => {
  expect(trustedProxies(['10.0.0.1']).clientAddress('10.0.0.1', undefined)).toBe('10.0.0.1');
});

test.each(['all', '10.0.0', '10.0.0.0/x', '10.0.0.0/8/8', '10.0.0.0/33', ''])(
  'rejects a list of trusted proxies that contains %j',
  (entry) => {
    expect(() => trustedProxies([entry])).toThrow(RangeError);
  },
);
