import { isIP } from 'node:net';
import { readCidr } from '../accounts/keys/cidr.ts';
import { isDevAllowEntry } from '../webhooks/address/dev-allow.ts';
import { isSecretsKeySetting } from '../platform/secrets-key.ts';
import type { SettingSpec } from '../platform/settings.ts';
import * as type from '../platform/setting-types.ts';

/**
 * Every setting of the service itself, once. Validation, `--help`, docs/settings.md and the type of
 * `Settings` come from this table; the keys and contacts of sources are declared by their providers.
 */
export const settingsTable = {
  port: {
    name: 'PORT',
    type: type.integer({ min: 0, max: 65_535, example: '8080' }),
    fallback: '8080',
    sentence: 'The TCP port that answers HTTP; 0 takes any free one.',
    flag: { form: '--port <number>', on: ['start', 'serve'] },
  },
  host: {
    name: 'HOST',
    type: type.text('a host name or an address to listen on', '127.0.0.1'),
    fallback: '127.0.0.1',
    sentence: 'The address to listen on; 0.0.0.0 or :: lets other machines in.',
    flag: { form: '--host <address>', on: ['start', 'serve'] },
  },
  publicUrl: {
    name: 'PUBLIC_URL',
    type: type.siteUrl('https://earnings.example.com'),
    fallback: null,
    sentence: 'The address customers use, when a proxy stands in front; written into answers.',
  },
  trustProxy: {
    name: 'TRUST_PROXY',
    type: type.list(
      'a comma-separated list of addresses and ranges',
      '127.0.0.1,10.0.0.0/8',
      isAddressOrRange,
    ),
    fallback: null,
    sentence: 'Proxies whose X-Forwarded-For is believed; without it no one is.',
  },
  dataDir: {
    name: 'DATA_DIR',
    type: type.path('.data'),
    fallback: '.data',
    sentence: 'The folder of the embedded store and of keys that no setting gives.',
    flag: { form: '--data-dir <folder>', on: 'every command' },
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    type: type.url(['postgres', 'postgresql'], 'postgres://afterbell@localhost/afterbell'),
    fallback: null,
    sentence: 'A PostgreSQL 15 or newer to use in place of the embedded store.',
    secret: true,
    flag: { form: '--database-url <url>', on: 'every command' },
  },
  backupBeforeUpgrade: {
    name: 'BACKUP_BEFORE_UPGRADE',
    type: type.yesOrNo(),
    fallback: 'true',
    sentence:
      'Keeps a backup of the embedded store, beside its folder, before a newer release changes its schema.',
  },
  databaseReplicaUrl: {
    name: 'DATABASE_REPLICA_URL',
    type: type.url(['postgres', 'postgresql'], 'postgres://afterbell@replica/afterbell'),
    fallback: null,
    sentence:
      'A replica of DATABASE_URL from which answers are read while it keeps up; keys, quotas and all writes stay with the primary.',
    secret: true,
  },
  replicaLagSeconds: {
    name: 'REPLICA_LAG_SECONDS',
    type: type.integer({ min: 2, max: 300, example: '5' }),
    unit: 'seconds',
    fallback: '5',
    sentence: 'How old what the replica has may be; beyond it answers are read from the primary.',
  },
  signUpPlan: {
    name: 'SIGN_UP_PLAN',
    type: type.text('the name of a plan', 'free'),
    fallback: null,
    sentence: 'The plan of those who sign up by themselves; without it people come by invitation.',
  },
  secretsKey: {
    name: 'SECRETS_KEY',
    type: type.checkedText(
      '32 bytes in base64 or hexadecimal, as openssl rand -base64 32 writes them',
      // Of a secret no example is shown: nobody should take over a key.
      '0'.repeat(64),
      isSecretsKeySetting,
    ),
    fallback: null,
    sentence:
      'Seals secrets that are stored: 32 bytes in base64; several separated by commas, the first seals and all open. Without it, a file of the data folder.',
    secret: true,
  },
  sources: {
    name: 'SOURCES',
    type: type.list('a comma-separated list of sources', 'sec,nasdaq'),
    fallback: '',
    sentence: 'Sources to gather from; without any, the service shows a simulated market.',
    flag: { form: '--sources <list>', on: ['start', 'serve', 'ingest'] },
  },
  licensedSourcesOnly: {
    name: 'LICENSED_SOURCES_ONLY',
    type: type.yesOrNo(),
    fallback: 'false',
    sentence:
      'Refuses sources that give nobody the right to show their data to third parties: for a public service. Sources that sell the right pass; whether you bought it is yours to know.',
  },
  replay: {
    name: 'REPLAY',
    type: type.path('recordings'),
    fallback: null,
    sentence: 'A folder of recorded answers to take in at start, with no network.',
    flag: { form: '--replay <folder>', on: ['start'] },
    flagOnly: true,
  },
  unusualLookbackSessions: {
    name: 'UNUSUAL_VOLUME_LOOKBACK_SESSIONS',
    type: type.integer({ min: 2, max: 250, example: '20' }),
    fallback: '20',
    sentence: 'Unusual volume: sessions before the newest that make the average volume.',
  },
  unusualMinRelativeVolume: {
    name: 'UNUSUAL_VOLUME_MIN_RELATIVE_VOLUME',
    type: type.decimal({ min: 1, example: '2' }),
    fallback: '2',
    sentence: 'Unusual volume: least volume in averages.',
  },
  unusualMinPrice: {
    name: 'UNUSUAL_VOLUME_MIN_PRICE',
    type: type.decimal({ min: 0, example: '1' }),
    fallback: '1',
    sentence: 'Unusual volume: least close, in dollars.',
  },
  unusualMinAverageVolume: {
    name: 'UNUSUAL_VOLUME_MIN_AVERAGE_VOLUME',
    type: type.decimal({ min: 0, example: '100000' }),
    fallback: '100000',
    sentence: 'Unusual volume: least average volume, in shares.',
  },
  unusualMinDollarVolume: {
    name: 'UNUSUAL_VOLUME_MIN_DOLLAR_VOLUME',
    type: type.decimal({ min: 0, example: '1000000' }),
    fallback: '1000000',
    sentence: 'Unusual volume: least volume times close, in dollars.',
  },
  unusualMaxRows: {
    name: 'UNUSUAL_VOLUME_MAX_ROWS',
    type: type.integer({ min: 1, max: 1000, example: '100' }),
    fallback: '100',
    sentence: 'Unusual volume: most rows in each of the two lists.',
  },
  webhookPorts: {
    name: 'WEBHOOK_PORTS',
    type: type.list('a comma-separated list of ports', '443,8443', isPort),
    fallback: '443',
    sentence: 'Ports of public addresses to which webhooks may be delivered.',
  },
  webhookCaFile: {
    name: 'WEBHOOK_CA_FILE',
    type: type.path('/etc/ssl/own-ca.pem'),
    fallback: null,
    sentence:
      'Certificates in PEM that webhook receivers may be signed by, beside those that the world trusts.',
  },
  webhookAttemptDays: {
    name: 'WEBHOOK_ATTEMPT_DAYS',
    type: type.integer({ min: 7, max: 90, example: '30' }),
    unit: 'days',
    fallback: '30',
    sentence: 'How long attempts to deliver webhooks are kept, with what was sent and answered.',
  },
  webhookDeliveryDays: {
    name: 'WEBHOOK_DELIVERY_DAYS',
    type: type.integer({ min: 7, max: 3650, example: '90' }),
    unit: 'days',
    fallback: '90',
    sentence:
      'How long finished deliveries of webhooks and alerts are kept, at least as long as attempts; open ones never go.',
  },
  webhookDevAllow: {
    name: 'WEBHOOK_DEV_ALLOW',
    type: type.list(
      'a comma-separated list of loopback or private ranges, each with a port',
      '127.0.0.1:3000,10.0.0.0/8:8443',
      isDevAllowEntry,
    ),
    fallback: '',
    sentence:
      'For development: receivers of your own that webhooks may be delivered to, with plain http on the loopback. Refused when NODE_ENV is production.',
  },
  webhookDevAllowInProduction: {
    name: 'WEBHOOK_DEV_ALLOW_IN_PRODUCTION',
    type: type.yesOrNo(),
    fallback: 'false',
    sentence:
      'Takes WEBHOOK_DEV_ALLOW even when NODE_ENV is production: every customer can then reach what it lists.',
  },
  metricsPort: {
    name: 'METRICS_PORT',
    type: type.integer({ min: 0, max: 65_535, example: '9464' }),
    fallback: null,
    sentence:
      'The TCP port that answers /metrics to Prometheus, and /healthz and /readyz, without a key; 0 takes any free one. Without it nothing is measured.',
  },
  metricsHost: {
    name: 'METRICS_HOST',
    type: type.text('a host name or an address to listen on', '127.0.0.1'),
    fallback: '127.0.0.1',
    sentence: 'The address for METRICS_PORT; 0.0.0.0 or :: shows the figures to other machines.',
  },
  drainSeconds: {
    name: 'DRAIN_SECONDS',
    type: type.integer({ min: 0, max: 300, example: '5' }),
    unit: 'seconds',
    fallback: '5',
    sentence:
      'How long `afterbell serve` answers on after it was told to end, with /readyz at 503, so that a balancer turns to others: longer than it takes it to see that.',
  },
  brand: {
    name: 'BRAND',
    type: type.text('text', 'Example Data'),
    fallback: null,
    sentence:
      'The name customers see on pages, in place of ours. It stands in the header names of webhooks and in their User-Agent too (`X-Service-Signature` without it): receivers must know before it changes.',
  },
  logLevel: {
    name: 'LOG_LEVEL',
    type: type.choice(['debug', 'info', 'warn', 'error', 'silent']),
    fallback: 'info',
    sentence: 'The least serious messages to log on stderr.',
    flag: { form: '--log-level <level>', on: 'every command' },
  },
  now: {
    name: 'NOW',
    type: type.instant('2026-02-02T14:00:00Z'),
    fallback: null,
    sentence:
      'Starts the clock at an instant and lets it run on: for recordings of the past and for tests. Refused when NODE_ENV is production.',
    flag: { form: '--now <instant>', on: ['start', 'serve', 'work', 'ingest'] },
  },
  nodeEnv: {
    name: 'NODE_ENV',
    type: type.text('text', 'production'),
    fallback: 'development',
    sentence:
      'When it is production, settings meant for tests are refused, and so is a start that others can reach without PUBLIC_URL.',
  },
} as const satisfies Record<string, SettingSpec<unknown>>;

function isAddressOrRange(item: string): boolean {
  return isIP(item) !== 0 || readCidr(item) !== null;
}

function isPort(item: string): boolean {
  return /^[1-9]\d{0,4}$/.test(item) && Number(item) <= 65_535;
}
