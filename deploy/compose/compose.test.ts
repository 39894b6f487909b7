import { readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { commands } from '../../service/src/cli/commands/registry.gen.ts';
import { providers } from '../../service/src/providers/registry.gen.ts';
import { readSettings } from '../../service/src/config/settings.ts';

interface ComposeService {
  image: string;
  build?: { context: string; dockerfile: string };
  command?: string[];
  environment?: Record<string, string>;
  networks: string[] | Record<string, { ipv4_address?: string }>;
  volumes?: string[];
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: object;
  deploy?: { replicas: number };
  [key: string]: unknown;
}

interface Compose {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean; ipam?: { config: Subnet[] } }>;
  volumes: Record<string, object>;
}

interface Subnet {
  subnet: string;
  ip_range: string;
}

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const text = read('compose.yaml');
const example = read('example.env');
// The merge key `<<` is part of YAML 1.1, and Compose accepts it.
const { services, networks, volumes } = parse(text, { merge: true }) as Compose;
const ROLES = ['serve', 'work', 'ingest'];

/** Expands `${NAME:-default}` and `${NAME:?message}` as Compose does. */
function expand(value: string, env: Readonly<Record<string, string>>): string {
  return value.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind, rest) => {
    const setting = env[name] ?? '';
    if (setting === '' && kind === '?') throw new Error(`${name} is not set`);
    return setting === '' && kind === '-' ? String(rest) : setting;
  });
}

function roleSettings(role: string, env: Readonly<Record<string, string>>) {
  const entries = Object.entries(services[role]?.environment ?? {});
  const filled = entries.map(([name, value]) => [name, expand(value, env)]);
  const all = Object.fromEntries(filled) as Record<string, string>;
  return readSettings({ flags: {}, env: all, cwd: '/', sources: providers });
}

const filled = {
  SITE: 'earnings.example.com',
  POSTGRES_PASSWORD: 'abc123',
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  SOURCES: 'sec,us-agencies',
  SEC_CONTACT: 'Jane Doe jane@example.com',
};

test('runs each role as a command of the service, with settings that the command accepts', () => {
  const names = Object.keys(commands);
  for (const role of ROLES) {
    expect(names).toContain(role);
    expect(services[role]?.command).toEqual([role]);
    expect(roleSettings(role, filled)).toMatchObject({
      databaseUrl: 'postgres://afterbell:abc123@db:5432/afterbell?sslmode=disable',
      publicUrl: 'https://earnings.example.com',
      licensedSourcesOnly: true,
      metricsPort: 9464,
    });
  }
  expect(services['serve']?.deploy?.replicas).toBe(2);
});

test('lists settings without a default in the example file, and rejects a start without them', () => {
  const needed = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name);
  const offered = [...example.matchAll(/^(\w+)=/gm)].map(([, name = '']) => name);
  expect(offered).toEqual(expect.arrayContaining(needed));
  for (const name of offered) expect(text).toContain(`\${${name}:`);
  for (const name of ['SITE', 'POSTGRES_PASSWORD', 'SECRETS_KEY', 'SOURCES']) {
    expect(() => roleSettings('serve', { ...filled, [name]: '' })).toThrow(name);
  }
});

test('gives each role a read-only file system, no capabilities and no further privileges', () => {
  for (const role of ROLES) {
    expect(services[role]).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      tmpfs: ['/tmp', '/data:uid=1000,gid=1000,mode=0700'],
      build: { context: '../..', dockerfile: 'deploy/docker/Dockerfile' },
    });
    expect(services[role]).not.toHaveProperty('privileged');
  }
});

test('restarts every service after a reboot', () => {
  const policies = Object.entries(services).map(([name, { restart }]) => [name, restart]);
  expect(policies).toEqual(Object.keys(services).map((name) => [name, 'unless-stopped']));
});

test('exposes only the proxy, and gives the database no route to the internet', () => {
  const open = Object.keys(services).filter((name) => services[name]?.ports !== undefined);
  expect(open).toEqual(['caddy']);
  expect(services['db']?.networks).toEqual(['back']);
  expect(networks['back']?.internal).toBe(true);
});

test('trusts the proxy at a fixed address that no other service gets', () => {
  const { networks: networkNames } = services['caddy'] ?? {};
  const address = Array.isArray(networkNames) ? undefined : networkNames?.['front']?.ipv4_address;
  expect(roleSettings('serve', filled).trustProxy).toEqual([address]);
  const [config] = networks['front']?.ipam?.config ?? [];
  expect(isIn(address, config?.subnet)).toBe(true);
  expect(isIn(address, config?.ip_range)).toBe(false);
  expect(services['serve']?.networks).toContain('front');
  expect(services['work']?.networks).not.toContain('front');
});

test('defines every network, volume and service that the Compose file refers to', () => {
  for (const service of Object.values(services)) {
    const networkNames = Array.isArray(service.networks)
      ? service.networks
      : Object.keys(service.networks);
    expect(Object.keys(networks)).toEqual(expect.arrayContaining(networkNames));
    const volumeNames = (service.volumes ?? []).flatMap(
      (volume) => volume.match(/^\w[\w-]*(?=:)/) ?? [],
    );
    expect(Object.keys(volumes)).toEqual(expect.arrayContaining(volumeNames));
    for (const [name, { condition }] of Object.entries(service.depends_on ?? {})) {
      expect(condition).toBe('service_healthy');
      // Our own image already contains its health check.
      expect(services[name]?.healthcheck ?? services[name]?.build).toBeDefined();
    }
  }
});

test('uses only service keys that Compose recognizes', () => {
  const serviceKeys =
    'build cap_add cap_drop command depends_on deploy environment healthcheck image init networks ports read_only restart security_opt shm_size stop_grace_period tmpfs volumes';
  for (const service of Object.values(services)) {
    expect(serviceKeys.split(' ')).toEqual(expect.arrayContaining(Object.keys(service)));
  }
});

function isIn(address = '', block = ''): boolean {
  const [net = '', bits] = block.split('/');
  const list = new BlockList();
  list.addSubnet(net, Number(bits));
  return list.check(address);
}
