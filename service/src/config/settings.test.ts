import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  readSettings,
  type ReadSettingsOptions,
  renderSettingsMarkdown,
  SettingsError,
} from './settings.ts';
import { settingsTable } from './settings-table.ts';

const sources = [
  {
    name: 'registry',
    settings: [
      {
        name: 'REGISTRY_CONTACT',
        required: true,
        secret: false,
        describe: 'A mail address.',
        fix: 'set REGISTRY_CONTACT=you@example.com',
      },
      { name: 'REGISTRY_KEY', required: false, secret: true, describe: 'A key.', fix: '' },
    ],
  },
  { name: 'exchange', settings: [] },
  { name: 'sandbox', settings: [] },
];

function read(options: Partial<ReadSettingsOptions> = {}) {
  return readSettings({ flags: {}, env: {}, cwd: '/home/me', sources, ...options });
}

function problemsOf(options: Partial<ReadSettingsOptions>): string {
  try {
    read(options);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  throw new Error('these settings were accepted');
}

test('uses the default for every setting that is not set', () => {
  expect(read()).toEqual({
    port: 8080,
    serveProcesses: '1',
    requireSecondFactor: 'off',
    host: '127.0.0.1',
    serviceUrl: null,
    serviceApiKey: null,
    publicUrl: null,
    securityContact: null,
    trustProxy: null,
    dataDir: '/home/me/.data',
    datasetFilesAt: '03:30',
    datasetFilesDir: null,
    databaseUrl: null,
    databaseReplicaUrl: null,
    replicaLagSeconds: 5,
    storeRole: 'any',
    cellLagSeconds: 15,
    gatheringDatabaseUrl: null,
    targetDatabaseUrl: null,
    databasePooler: 'auto',
    embeddedSync: 'commit',
    backupBeforeUpgrade: true,
    quotaBlockPercent: 6,
    signUpPlan: null,
    secretsKey: null,
    sources: [],
    watch: [],
    licensedSourcesOnly: false,
    apiKeysInUrls: true,
    replay: null,
    unusualLookbackSessions: 20,
    unusualMinRelativeVolume: '2',
    unusualMinPrice: '1',
    unusualMinAverageVolume: '100000',
    unusualMinDollarVolume: '1000000',
    unusualMaxRows: 100,
    webhookPorts: ['443'],
    webhookCaFile: null,
    webhookIdleConnections: 1_000,
    webhookAttemptDays: 30,
    webhookDeliveryDays: 90,
    webhookDeny: [],
    webhookProxy: null,
    auditDays: null,
    webhookDevAllow: [],
    webhookDevAllowInProduction: false,
    metricsPort: null,
    metricsHost: '127.0.0.1',
    drainSeconds: 5,
    brand: null,
    logLevel: 'info',
    now: null,
    nodeEnv: 'development',
    sourceSettings: new Map(),
    secrets: [],
    configFile: null,
  });
});

test.each(Object.values(settingsTable))(
  'accepts the default and the example of the setting $name',
  ({ type, fallback }) => {
    expect(type.parse(type.example, '/')).not.toBeNull();
    expect(type.parse(fallback ?? type.example, '/')).not.toBeNull();
  },
);

test('reads the flags of the start command and resolves paths relative to the working directory', () => {
  const flags = { port: '0', dataDir: 'd', replay: '../r', now: '2026-02-02T14:00:00Z' };
  expect(read({ flags })).toMatchObject({
    port: 0,
    dataDir: '/home/me/d',
    replay: '/home/r',
    now: Date.UTC(2026, 1, 2, 14),
  });
});

test('reports an invalid SECRETS_KEY before a store is opened', () => {
  const said = problemsOf({ env: { PORT: '-1', SECRETS_KEY: 'hunter2' } });
  expect(said).toContain('PORT "-1" must be');
  expect(said).toContain('SECRETS_KEY must be 32 bytes in base64 or hexadecimal');
  expect(said).not.toContain('hunter2');
});

test('reads source settings by name and marks secrets', () => {
  const env = {
    SOURCES: 'registry,exchange',
    REGISTRY_CONTACT: 'a@b.example',
    REGISTRY_KEY: 'k-123',
    DATABASE_URL: 'postgres://u:p@h/d',
  };
  const settings = read({ env });
  expect(settings.sources).toEqual(['registry', 'exchange']);
  expect(settings.sourceSettings.get('REGISTRY_CONTACT')).toBe('a@b.example');
  expect(settings.secrets).toEqual(['k-123', 'postgres://u:p@h/d']);
});

test.each([
  ['PORT', '99999', 'PORT "99999" must be a whole number from 0 to 65535'],
  ['PUBLIC_URL', 'example.com', 'PUBLIC_URL "example.com" must be a URL'],
  ['TRUST_PROXY', '10.0.0.0/33', 'TRUST_PROXY "10.0.0.0/33" must be a comma-separated list'],
  ['TRUST_PROXY', '10.1.2.3/8', 'TRUST_PROXY "10.1.2.3/8" must be a comma-separated list'],
  ['TRUST_PROXY', 'true', 'TRUST_PROXY "true" must be a comma-separated list'],
  ['DATABASE_URL', 'mysql://u:hush@h/d', 'DATABASE_URL must be a URL that starts with postgres://'],
  ['LOG_LEVEL', 'loud', 'LOG_LEVEL "loud" must be one of debug, info'],
  ['NOW', 'yesterday', 'NOW "yesterday" must be an instant'],
  ['SOURCES', 'exchagne', 'there is no source "exchagne" (SOURCES): did you mean exchange?'],
  ['SOURCES', 'sandbox,exchange', 'simulated and real data never mix'],
  ['SOURCES', 'registry', 'source registry requires REGISTRY_CONTACT: set REGISTRY_CONTACT='],
  ['AFTERBELL_PROT', '1', 'unknown setting AFTERBELL_PROT (environment): did you mean PORT?'],
  ['AFTERBELL_CONFIG', '/no/such/file', 'the settings file /no/such/file cannot be read'],
])(
  'rejects the setting %s=%s with a single-line message that contains no secret',
  (name, value, problem) => {
    const message = problemsOf({ env: { [name]: value } });
    expect(message).toContain(problem);
    expect(message).not.toContain('hush');
    expect(message.split('\n')).toHaveLength(1);
  },
);

test.each([
  ['https://who:hush@x.example.com/base/?a=hush#f', 'set PUBLIC_URL=https://x.example.com'],
  ['https://who@x.example.com', 'set PUBLIC_URL=https://x.example.com'],
  ['https://x.example.com/base?key=hush', 'set PUBLIC_URL=https://x.example.com'],
  ['https://x.example.com/base', 'set PUBLIC_URL=https://x.example.com'],
  ['https://x.example.com:8443/#hush', 'set PUBLIC_URL=https://x.example.com:8443'],
  ['https://x.example.com?', 'set PUBLIC_URL=https://x.example.com'],
  // It is ambiguous where the password ends in these URLs.
  ['https://who:hu/sh@x.example.com', 'for example, set PUBLIC_URL=https://earnings.example.com'],
  ['https://hush/sh?@x.example.com', 'for example, set PUBLIC_URL=https://earnings.example.com'],
  ['who:hush@x.example.com', 'for example, set PUBLIC_URL=https://earnings.example.com'],
])(
  'rejects the PUBLIC_URL %s because it is more than an origin, and suggests a fix',
  (url, fix) => {
    const message = problemsOf({ env: { PUBLIC_URL: url } });
    expect(message).toContain('without user, password, path, query or fragment');
    expect(message.endsWith(`: ${fix}`)).toBe(true);
    expect(message).not.toMatch(/who|hu\/?sh/);
  },
);

test.each([
  ['https://x.example.com/', 'https://x.example.com'],
  ['http://localhost:8080', 'http://localhost:8080'],
  ['https:x.example.com', 'https://x.example.com'],
])('accepts the PUBLIC_URL %s and normalizes it to %s', (url, written) => {
  expect(read({ env: { PUBLIC_URL: url } }).publicUrl).toBe(written);
});

test.each([
  '169.254.169.254:80',
  '0.0.0.0/0:3000',
  '8.8.8.8:443',
  '127.0.0.1',
  '127.0.0.1:0',
  '127.0.0.1:65536',
  '127.0.0.1/33:3000',
  '126.0.0.0/7:3000',
  '::1:3000',
  '[fe80::1%eth0]:3000',
  '2130706433:3000',
  'localhost:3000',
])('rejects a WEBHOOK_DEV_ALLOW entry that is public or has no port: %s', (item) => {
  expect(problemsOf({ env: { WEBHOOK_DEV_ALLOW: item } })).toContain(`WEBHOOK_DEV_ALLOW "${item}"`);
});

test.each(['127.0.0.1:3000', '127.0.0.0/8:1', '[::1]:3000', '::1/128:65535', '10.2.0.0/16:8443'])(
  'accepts the WEBHOOK_DEV_ALLOW entry %s',
  (item) => {
    expect(read({ env: { WEBHOOK_DEV_ALLOW: item } }).webhookDevAllow).toEqual([item]);
  },
);

test('rejects WEBHOOK_DEV_ALLOW in production unless a second setting allows it', () => {
  const env = { WEBHOOK_DEV_ALLOW: '127.0.0.1:3000', NODE_ENV: 'production' };
  expect(problemsOf({ env })).toContain('WEBHOOK_DEV_ALLOW is set while NODE_ENV is production');
  const both = { ...env, WEBHOOK_DEV_ALLOW_IN_PRODUCTION: 'true' };
  expect(read({ env: both }).webhookDevAllow).toEqual(['127.0.0.1:3000']);
});

test.each([
  [{ TRUST_PROXY: '10.0.0.1' }, 'TRUST_PROXY is set but PUBLIC_URL is not set'],
  [{ HOST: '0.0.0.0' }, 'HOST 0.0.0.0 accepts other machines but PUBLIC_URL is not set'],
  [{ HOST: '::' }, 'HOST :: accepts other machines but PUBLIC_URL is not set'],
])('requires PUBLIC_URL in production with the settings %j', (env, problem) => {
  const production = { ...env, NODE_ENV: 'production' };
  expect(problemsOf({ env: production })).toContain(problem);
  const stated = { ...production, PUBLIC_URL: 'https://data.example' };
  expect(read({ env: stated }).publicUrl).toBe('https://data.example');
  expect(read({ env }).publicUrl).toBeNull();
});

test.each(['127.0.0.1', 'localhost', '::1'])(
  'does not require PUBLIC_URL in production if HOST is %s',
  (HOST) => {
    expect(read({ env: { HOST, NODE_ENV: 'production' } }).host).toBe(HOST);
  },
);

test.each([
  ['db.internal/afterbell', 'DATABASE_URL connects to db.internal without TLS'],
  ['10.0.0.5:5433/afterbell', 'DATABASE_URL connects to 10.0.0.5 without TLS'],
  ['localhost/afterbell?host=db.internal', 'DATABASE_URL connects to db.internal without TLS'],
  ['db/afterbell?sslmode=no-verify', 'DATABASE_URL does not verify the certificate of db'],
  [
    'db/afterbell?sslmode=require&uselibpqcompat=true',
    'DATABASE_URL does not verify the certificate of db',
  ],
])('requires a decision about TLS in production for the database %s', (rest, problem) => {
  const env = { DATABASE_URL: `postgres://me:geheim@${rest}` };
  const refused = problemsOf({ env: { ...env, NODE_ENV: 'production' } });
  expect(refused).toContain(problem);
  expect(refused).toContain('sslmode=verify-full');
  expect(refused).not.toContain('geheim');
  expect(read({ env }).databaseUrl).toBe(env.DATABASE_URL);
});

test.each(['DATABASE_REPLICA_URL', 'GATHERING_DATABASE_URL', 'TARGET_DATABASE_URL'])(
  'requires the same decision for %s',
  (name) => {
    const env = { DATABASE_URL: 'postgres://localhost/afterbell', [name]: 'postgres://db/other' };
    const refused = problemsOf({ env: { ...env, NODE_ENV: 'production' } });
    expect(refused).toContain(`${name} connects to db without TLS`);
  },
);

test.each([
  'localhost/afterbell',
  '127.0.0.1:6432/afterbell',
  '[::1]/afterbell',
  'localhost/afterbell?host=/run/postgresql',
  'db/afterbell?sslmode=verify-full',
  'db/afterbell?sslmode=require',
  'db/afterbell?sslmode=verify-ca&sslrootcert=/etc/ca.pem&uselibpqcompat=true',
  'db/afterbell?ssl=true',
  'db/afterbell?sslmode=disable',
])('accepts the database %s in production', (rest) => {
  const DATABASE_URL = `postgres://${rest}`;
  expect(read({ env: { DATABASE_URL, NODE_ENV: 'production' } }).databaseUrl).toBe(DATABASE_URL);
});

test.each(['0', '65536', '-1', '443x', '0443'])('rejects %s as a port for webhooks', (port) => {
  expect(problemsOf({ env: { WEBHOOK_PORTS: port } })).toContain('WEBHOOK_PORTS');
});

test.each([
  [{ WEBHOOK_ATTEMPT_DAYS: '6' }, 'WEBHOOK_ATTEMPT_DAYS'],
  [{ WEBHOOK_ATTEMPT_DAYS: '91' }, 'WEBHOOK_ATTEMPT_DAYS'],
  [{ WEBHOOK_DELIVERY_DAYS: '29' }, 'WEBHOOK_DELIVERY_DAYS is less than WEBHOOK_ATTEMPT_DAYS'],
])('rejects the retention settings %j', (env, problem) => {
  expect(problemsOf({ env })).toContain(problem);
});

test('reads the retention settings for attempts and deliveries', () => {
  const env = { WEBHOOK_ATTEMPT_DAYS: '7', WEBHOOK_DELIVERY_DAYS: '7' };
  expect(read({ env })).toMatchObject({ webhookAttemptDays: 7, webhookDeliveryDays: 7 });
});

test('rejects the NOW setting in production', () => {
  const env = { NOW: '2026-02-02T14:00:00Z', NODE_ENV: 'production' };
  expect(problemsOf({ env })).toContain('NOW is set while NODE_ENV is production');
});

test('ignores environment variables meant for other programs', () => {
  expect(() =>
    read({ env: { PROT: '1', SEC_CONTRACT: 'x', AFTERBELL_RECORDINGS: 'r' } }),
  ).not.toThrow();
});

test('reads the settings file given by --config, which is relative to the working directory', () => {
  const folder = mkdtempSync(join(tmpdir(), 'afterbell-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'my.env'), '# mine\nPORT=81\nBRAND="Late Bell"\n');
  const settings = read({ cwd: folder, flags: { config: 'my.env' }, env: { PORT: '82' } });
  expect(settings).toMatchObject({ port: 82, brand: 'Late Bell' });
});

test('documents every setting, including the settings of sources', () => {
  const markdown = renderSettingsMarkdown(sources);
  for (const { name, sentence, ...rest } of Object.values(settingsTable)) {
    expect(markdown).toContain('flagOnly' in rest ? rest.flag.form : `\`${name}\``);
    expect(markdown).toContain(sentence);
  }
  expect(markdown).toContain('| `REGISTRY_KEY` | no | yes | A key. |');
});

const licences = [
  { name: 'public', settings: [], redistribution: 'public-domain' as const },
  { name: 'keyed', settings: [], redistribution: 'with-contract' as const },
  { name: 'personal', settings: [], redistribution: 'not-granted' as const },
];

test('rejects unlicensed sources and suggests alternatives if LICENSED_SOURCES_ONLY is true', () => {
  const env = { LICENSED_SOURCES_ONLY: 'true', SOURCES: 'public,personal' };
  expect(problemsOf({ env, sources: licences })).toBe(
    'source personal sells no licence to show its data, but LICENSED_SOURCES_ONLY is true: ' +
      'remove personal from SOURCES and choose from public, keyed; or, if only you use the ' +
      'data, set LICENSED_SOURCES_ONLY=false',
  );
});

test.each([
  ['true', 'public,keyed'],
  ['false', 'public,keyed,personal'],
])('with LICENSED_SOURCES_ONLY=%s, accepts the sources %s', (only, names) => {
  const env = { LICENSED_SOURCES_ONLY: only, SOURCES: names };
  expect(read({ env, sources: licences }).sources).toEqual(names.split(','));
});
