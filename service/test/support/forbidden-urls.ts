import ipaddr from 'ipaddr.js';
import type { Random } from '../../src/platform/random.ts';

/** Returns URLs that must be rejected, all with this port. Many of them are disguised addresses. */
export function forbiddenUrls(port: number): string[] {
  const hosts = [...ADDRESSES.flatMap(spellingsOfV4), ...V6, ...NAMES];
  return [...hosts.map((host) => `https://${host}:${port}/hook`), ...wholeUrls(port)];
}

/** One address in each rejected range, and several in the loopback range. */
const ADDRESSES: readonly (readonly [number, number, number, number])[] = [
  [127, 0, 0, 1],
  [127, 1, 2, 3],
  [0, 0, 0, 0],
  [10, 0, 0, 1],
  [100, 64, 0, 1],
  [169, 254, 169, 254],
  [172, 16, 0, 1],
  [192, 0, 0, 192],
  [192, 168, 0, 1],
  [198, 18, 0, 1],
  [224, 0, 0, 1],
  [255, 255, 255, 255],
  [168, 63, 129, 16],
  // A public address, which must be rejected too, because a URL may not contain an IP address.
  [8, 8, 8, 8],
];

/**
 * Returns the spellings of an IPv4 address as a URL host, including those that only some parsers
 * accept.
 */
export function spellingsOfV4(octets: readonly [number, number, number, number]): string[] {
  const [a, b, c, d] = octets;
  const dotted = octets.join('.');
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const oct = (n: number): string => `0${n.toString(8)}`;
  const hex = (n: number): string => `0x${n.toString(16)}`;
  const pair = (x: number, y: number): string => (x * 256 + y).toString(16);
  return [
    dotted,
    `${dotted}.`,
    octets.map(oct).join('.'),
    octets.map(hex).join('.'),
    octets.map((n) => `0X${n.toString(16).toUpperCase().padStart(8, '0')}`).join('.'),
    `${oct(a)}.${b}.${hex(c)}.${d}`,
    String(number),
    `${number}.`,
    oct(number),
    hex(number),
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    `${hex(a)}.${(b * 256 + c) * 256 + d}`,
    [...dotted].map(fullWidth).join(''),
    octets.join('。'),
    octets.join('．'),
    octets.join('｡'),
    [...dotted].map((char) => `%${char.charCodeAt(0).toString(16)}`).join(''),
    dotted.replaceAll('.', '%2e'),
    dotted.replaceAll('.', '%E3%80%82'),
    `${a}\u00AD.${b}.${c}.${d}`,
    `[::ffff:${dotted}]`,
    `[::FFFF:${pair(a, b)}:${pair(c, d)}]`,
    `[0:0:0:0:0:ffff:${pair(a, b)}:${pair(c, d)}]`,
    `[::${dotted}]`,
    `[64:ff9b::${dotted}]`,
    `[2002:${pair(a, b)}:${pair(c, d)}::1]`,
  ];
}

function fullWidth(char: string): string {
  return char === '.' ? char : String.fromCodePoint(0xff10 + Number(char));
}

const V6 = [
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[::0.0.0.1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fe80::1%25eth0]',
  '[fe80::1%eth0]',
  '[::1%25lo]',
  '[ff02::1]',
  '[2001::1]',
  '[2001:db8::1]',
  '[2002::1]',
  '[3fff::1]',
  '[2606:4700::1111]',
  '[v1.loopback]',
];

const NAMES = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  'ｌｏｃａｌｈｏｓｔ',
  'local%68ost',
  'lo\u00ADcalhost',
  'a.localhost',
  'a.localhost.',
  'a。localhost',
  'printer.local',
  'metadata.google.internal',
  'METADATA.GOOGLE.INTERNAL.',
  'instance-data.ec2.internal',
  'router.home.arpa',
  'home.arpa',
  'something.onion',
  'intranet',
  'metadata',
  'hooks',
  'com',
  'a..example.com',
  '.example.com',
  'example.com.',
  'example.com..',
  '-a.example.com',
  'a-.example.com',
  'a_b.example.com',
  '*.example.com',
  'xn--.example.com',
  'exa mple.com',
  'exam%00ple.com',
  'exam%20ple.com',
  '%6c%6f%63%61%6c%68%6f%73%74',
  `${'a'.repeat(64)}.example.com`,
  `${'abcdefg.'.repeat(32)}example.com`,
  '1.2.3',
  '1.2.3.4.5',
  'example.127',
  'example.0x7f',
  'example.com.1',
];

function wholeUrls(port: number): string[] {
  return [
    `http://hooks.example.com:${port}/`,
    `http://127.0.0.1:${port}/`,
    `http://[::1]:${port}/`,
    `http://localhost:${port}/`,
    `https:hooks.example.com:${port}/`,
    `https:/127.0.0.1:${port}/`,
    `https:///127.0.0.1:${port}/`,
    `https:\\\\127.0.0.1:${port}\\`,
    `https://hooks.example.com\\@127.0.0.1:${port}/`,
    `https://hooks.example.com@127.0.0.1:${port}/`,
    `https://hooks.example.com:443@127.0.0.1:${port}/`,
    `https://127.0.0.1:${port}@hooks.example.com/`,
    `https://user@hooks.example.com:${port}/`,
    `https://user:word@hooks.example.com:${port}/`,
    `https://@hooks.example.com:${port}/`,
    `https://:@hooks.example.com:${port}/`,
    `https://hooks.example.com:${port}/#`,
    `https://hooks.example.com:${port}/#part`,
    `https://127.0.0.1:${port}#@hooks.example.com/`,
    `https://127.0.0.1:${port}?@hooks.example.com/`,
    `https://127.0.0.1:${port};@hooks.example.com/`,
    ` https://hooks.example.com:${port}/`,
    `https://hooks.example.com:${port}/ `,
    `https://hooks.exam\tple.com:${port}/`,
    `https://hooks.exam\nple.com:${port}/`,
    `ht\ntps://127.0.0.1:${port}/`,
    `https://hooks.example.com:${port}/a\r\nHost: 127.0.0.1`,
    `https://hooks.example.com:${port}/\u0000`,
    `https://hooks.example.com:${port}/\u007f`,
    `//127.0.0.1:${port}/`,
    `127.0.0.1:${port}`,
    `hooks.example.com:${port}/`,
    `ftp://127.0.0.1:${port}/`,
    `ws://127.0.0.1:${port}/`,
    `wss://127.0.0.1:${port}/`,
    `gopher://127.0.0.1:${port}/`,
    `file://127.0.0.1:${port}/etc/passwd`,
    'file:///etc/passwd',
    'data:text/plain,hello',
    'javascript:alert(1)',
    `blob:https://hooks.example.com:${port}/1`,
    `view-source:https://127.0.0.1:${port}/`,
    'https://hooks.example.com:0/',
    'https://hooks.example.com:22/',
    'https://hooks.example.com:80/',
    'https://hooks.example.com:65536/',
    'https://hooks.example.com:-1/',
    'https://hooks.example.com:４４３x/',
    'https://hooks.example.com:443:443/',
    'https://',
    'https://:443/',
    'https://?',
    'https://#',
    '',
    `https://hooks.example.com:${port}/${'a'.repeat(2048)}`,
    `https://hooks.example.com:${port}/${'é'.repeat(1000)}`,
  ];
}

/** Returns a random address in a random rejected range. */
export function randomForbiddenAddress(random: Random, family: 4 | 6): string {
  const ranges = family === 4 ? RANGES_V4 : RANGES_V6;
  const [start, bits] = ranges[random.int(ranges.length)] ?? ['127.0.0.0', 8];
  const bytes = ipaddr.parse(start).toByteArray();
  const randomBytes = bytes.map((byte, n) => {
    const fixed = Math.min(8, Math.max(0, bits - 8 * n));
    return byte | (random.int(256) & (0xff >> fixed));
  });
  return ipaddr.fromByteArray(randomBytes).toString();
}

const RANGES_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.128.0.0', 9],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['168.63.129.16', 32],
];

const RANGES_V6: readonly (readonly [string, number])[] = [
  ['::', 3],
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['4000::', 2],
  ['8000::', 1],
  ['fc00::', 7],
  ['fd00:ec2::254', 128],
  ['fe80::', 10],
  ['ff00::', 8],
];
