import { expect, test } from 'vitest';
import { networkAddress } from './network-address.ts';

const NETWORKS: [address: string, network: string][] = [
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:0201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8::1', '2001:db8::'],
  ['2001:0DB8:0000:0000:1:2:3:4', '2001:db8::'],
  ['fe80::1%eth0', 'fe80::'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
  ['::1', '::'],
  ['::', '::'],
  ['1:2:3:4:5:6:7::', '1:2:3:4::'],
  ['64:ff9b::192.0.2.1', '64:ff9b::'],
  // Text that isn't an address is left unchanged.
  ['1:2:3', '1:2:3'],
  ['1::2::3', '1::2::3'],
  ['12345::', '12345::'],
  ['::ffff:999.0.0.1', '::ffff:999.0.0.1'],
  ['unknown', 'unknown'],
  ['x'.repeat(500), 'x'.repeat(64)],
];

test.each(NETWORKS)(
  'counts the client address %s against the rate limit of %s',
  (address, network) => {
    expect(networkAddress(address)).toBe(network);
  },
);
