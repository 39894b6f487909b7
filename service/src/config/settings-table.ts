import { parseSymbol } from '../domain/symbol.ts';
import { isSecretsKeySetting } from '../platform/secrets-key.ts';
import type { SettingSpec } from '../platform/settings.ts';
import * as type from '../platform/setting-types.ts';
import { isAddressOrRange, webhookSettings } from './webhook-settings.ts';

/**
 * Lists every setting of the service. Validation, `--help`, docs/settings.md and the type of
 * `Settings` are derived from this table. Providers declare the API keys and contacts for their own
 * sources.
 */
export const settingsTable = {
  port: {
    name: 'PORT',
    type: type.integer({ min: 0, max: 65_535, example: '8080' }),
    fallback: '8080',
    sentence: 'TCP port of the HTTP server. 0 takes any free port.',
    flag: { form: '--port <number>', on: ['start', 'serve'] },
  },
  host: {
    name: 'HOST',
    type: type.text('a host name or an address to listen on', '127.0.0.1'),
    fallback: '127.0.0.1',
    sentence: 'Address to listen on. 0.0.0.0 or :: accepts connections from other machines.',
    flag: { form: '--host <address>', on: ['start', 'serve'] },
  },
  serveProcesses: {
    name: 'SERVE_PROCESSES',
    type: type.checkedText('a number from 1 to 64, or auto', '2', isProcessCount),
    fallback: '1',
    sentence:
      'Number of processes that `afterbell serve` runs on its port. `auto`: as many as the machine has cores.',
    flag: { form: '--processes <number>', on: ['serve'] },
  },
  publicUrl: {
    name: 'PUBLIC_URL',
    type: type.siteUrl('https://earnings.example.com'),
    fallback: null,
    sentence:
      'Base URL that customers use, if the service is behind a proxy. Links in responses start with it.',
  },
  securityContact: {
    name: 'SECURITY_CONTACT',
    type: type.contactUri('mailto:security@example.com'),
    fallback: null,
    sentence:
      'Where people report vulnerabilities of this installation, for `/.well-known/security.txt`.',
  },
  serviceUrl: {
    name: 'SERVICE_URL',
    type: type.siteUrl('https://earnings.example.com'),
    fallback: null,
    sentence:
      'Service that `afterbell mcp` reads from. Without it, the one on this machine at HOST and PORT.',
    flag: { form: '--service-url <url>', on: ['mcp'] },
  },
  serviceApiKey: {
    name: 'SERVICE_API_KEY',
    type: type.text('an API key', 'eds_live_…'),
    fallback: null,
    sentence:
      'API key for `afterbell mcp`. Without it, the demo key of a sandbox in DATA_DIR is used.',
    secret: true,
  },
  trustProxy: {
    name: 'TRUST_PROXY',
    type: type.list(
      'a comma-separated list of addresses and ranges',
      '127.0.0.1,10.0.0.0/8',
      isAddressOrRange,
    ),
    fallback: null,
    sentence: 'Proxies whose X-Forwarded-For header is trusted. None by default.',
  },
  dataDir: {
    name: 'DATA_DIR',
    type: type.path('.data'),
    fallback: '.data',
    sentence: 'Folder of the embedded store and of generated keys.',
    flag: { form: '--data-dir <folder>', on: 'every command' },
  },
  datasetFilesDir: {
    name: 'DATASET_FILES_DIR',
    type: type.path('/var/lib/afterbell/datasets'),
    fallback: null,
    sentence:
      'Folder of the Parquet files that customers download. Without it, `datasets` in the folder of the store.',
  },
  datasetFilesAt: {
    name: 'DATASET_FILES_AT',
    type: type.checkedText('a New York time, or off', '03:30', isTimeOrOff),
    fallback: '03:30',
    sentence:
      'New York time at which changed Parquet files are written every night. `off` leaves it to `afterbell export`.',
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    type: type.url(['postgres', 'postgresql'], 'postgres://afterbell@localhost/afterbell'),
    fallback: null,
    sentence: 'PostgreSQL 15 or newer to use instead of the embedded store.',
    secret: true,
    flag: { form: '--database-url <url>', on: 'every command' },
  },
  databasePooler: {
    name: 'DATABASE_POOLER',
    type: type.choice(['auto', 'none', 'transaction']),
    fallback: 'auto',
    sentence:
      'Connection pooler in front of the database. `auto` recognizes PgBouncer. `transaction` is for others that share connections between transactions: settings are sent with each transaction, and changes by other processes are found by polling. `none` is for a pooler in session mode.',
  },
  embeddedSync: {
    name: 'EMBEDDED_SYNC',
    type: type.choice(['commit', 'off']),
    fallback: 'commit',
    sentence:
      'Syncs every commit of the embedded store to the disk, so that a power failure loses none. `off` is faster and survives only a crash of the process.',
  },
  backupBeforeUpgrade: {
    name: 'BACKUP_BEFORE_UPGRADE',
    type: type.yesOrNo(),
    fallback: 'true',
    sentence:
      'Backs up the embedded store, next to its folder, before a newer release migrates its schema.',
  },
  databaseReplicaUrl: {
    name: 'DATABASE_REPLICA_URL',
    type: type.url(['postgres', 'postgresql'], 'postgres://afterbell@replica/afterbell'),
    fallback: null,
    sentence:
      'Replica of DATABASE_URL that serves reads while it keeps up. Keys, quotas and all writes stay on the primary.',
    secret: true,
  },
  replicaLagSeconds: {
    name: 'REPLICA_LAG_SECONDS',
    type: type.integer({ min: 2, max: 300, example: '5' }),
    unit: 'seconds',
    fallback: '5',
    sentence: 'Maximum replication lag. Beyond it, reads go to the primary.',
  },
  storeRole: {
    name: 'STORE_ROLE',
    type: type.choice(['any', 'gathering', 'cell']),
    fallback: 'any',
    sentence:
      'Required role of the store: `gathering` writes its own facts, `cell` receives them. Another store stops the start. `any` accepts both.',
  },
  cellLagSeconds: {
    name: 'CELL_LAG_SECONDS',
    type: type.integer({ min: 3, max: 3_600, example: '15' }),
    unit: 'seconds',
    fallback: '15',
    sentence: 'Age of the facts of a cell from which it reports that it is stale.',
  },
  gatheringDatabaseUrl: {
    name: 'GATHERING_DATABASE_URL',
    type: type.url(['postgres', 'postgresql'], 'postgres://afterbell@gathering/afterbell'),
    fallback: null,
    sentence:
      'Gathering store that a cell follows, for `afterbell cell` commands. The server of the cell connects to it too, directly and not through a pooler.',
    secret: true,
  },
  targetDatabaseUrl: {
    name: 'TARGET_DATABASE_URL',
    type: type.url(['postgres', 'postgresql'], 'postgres://afterbell@west/afterbell'),
    fallback: null,
    sentence: 'Database of the cell to which `afterbell cell move` moves a customer.',
    secret: true,
  },
  quotaBlockPercent: {
    name: 'QUOTA_BLOCK_PERCENT',
    type: type.integer({ min: 0, max: 25, example: '6' }),
    unit: 'percent',
    fallback: '6',
    sentence:
      'On DATABASE_URL: the largest block that a process leases, as a percentage of each remaining quota. With 0, the database counts every request.',
  },
  signUpPlan: {
    name: 'SIGN_UP_PLAN',
    type: type.text('the name of a plan', 'free'),
    fallback: null,
    sentence:
      'Plan of customers who sign up themselves. Without it, sign-up is by invitation only.',
  },
  requireSecondFactor: {
    name: 'REQUIRE_SECOND_FACTOR',
    type: type.choice(['off', 'operators', 'everyone']),
    fallback: 'off',
    sentence:
      'Requires two-factor authentication of operators or of everyone. Until they set it up, people can only manage their own sign-in.',
  },
  secretsKey: {
    name: 'SECRETS_KEY',
    type: type.checkedText(
      '32 bytes in base64 or hexadecimal, as openssl rand -base64 32 writes them',
      // Required by the type only. Examples of secrets are never shown, so that no one copies them.
      '0'.repeat(64),
      isSecretsKeySetting,
    ),
    fallback: null,
    sentence:
      'Encrypts stored secrets: 32 bytes in base64. Of several, separated by commas, the first encrypts and all decrypt. Without it, a file in the data folder is used.',
    secret: true,
  },
  sources: {
    name: 'SOURCES',
    type: type.list('a comma-separated list of sources', 'sec,nasdaq'),
    fallback: '',
    sentence: 'Sources to ingest. Without any, the service runs a simulated market.',
    flag: { form: '--sources <list>', on: ['start', 'serve', 'ingest'] },
  },
  watch: {
    name: 'WATCH',
    type: type.list('a comma-separated list of symbols', 'AAPL,MSFT', isSymbol),
    fallback: '',
    sentence: 'Companies to fetch first, before the rest of the market. Requires the source sec.',
    flag: { form: '--watch <symbols>', on: ['start', 'ingest'] },
  },
  apiKeysInUrls: {
    name: 'API_KEYS_IN_URLS',
    type: type.yesOrNo(),
    fallback: 'true',
    sentence:
      'Accepts the API key as `apikey` in the URL, which calendar apps, feed readers and spreadsheets need. URLs end up in histories and in the logs of proxies.',
  },
  licensedSourcesOnly: {
    name: 'LICENSED_SOURCES_ONLY',
    type: type.yesOrNo(),
    fallback: 'false',
    sentence:
      'For a public service: rejects sources whose data may not be shown to third parties under any licence. Sources that sell a licence are accepted; make sure you have one.',
  },
  replay: {
    name: 'REPLAY',
    type: type.path('recordings'),
    fallback: null,
    sentence: 'Folder of recorded responses to ingest at start, without a network.',
    flag: { form: '--replay <folder>', on: ['start'] },
    flagOnly: true,
  },
  unusualLookbackSessions: {
    name: 'UNUSUAL_VOLUME_LOOKBACK_SESSIONS',
    type: type.integer({ min: 2, max: 250, example: '20' }),
    fallback: '20',
    sentence: 'Unusual volume: number of earlier sessions in the average volume.',
  },
  unusualMinRelativeVolume: {
    name: 'UNUSUAL_VOLUME_MIN_RELATIVE_VOLUME',
    type: type.decimal({ min: 1, example: '2' }),
    fallback: '2',
    sentence: 'Unusual volume: minimum volume, as a multiple of the average.',
  },
  unusualMinPrice: {
    name: 'UNUSUAL_VOLUME_MIN_PRICE',
    type: type.decimal({ min: 0, example: '1' }),
    fallback: '1',
    sentence: 'Unusual volume: minimum close, in dollars.',
  },
  unusualMinAverageVolume: {
    name: 'UNUSUAL_VOLUME_MIN_AVERAGE_VOLUME',
    type: type.decimal({ min: 0, example: '100000' }),
    fallback: '100000',
    sentence: 'Unusual volume: minimum average volume, in shares.',
  },
  unusualMinDollarVolume: {
    name: 'UNUSUAL_VOLUME_MIN_DOLLAR_VOLUME',
    type: type.decimal({ min: 0, example: '1000000' }),
    fallback: '1000000',
    sentence: 'Unusual volume: minimum volume times close, in dollars.',
  },
  unusualMaxRows: {
    name: 'UNUSUAL_VOLUME_MAX_ROWS',
    type: type.integer({ min: 1, max: 1000, example: '100' }),
    fallback: '100',
    sentence: 'Unusual volume: maximum number of rows in each of the two lists.',
  },
  ...webhookSettings,
  auditDays: {
    name: 'AUDIT_DAYS',
    type: type.integer({ min: 30, max: 3650, example: '400' }),
    unit: 'days',
    fallback: null,
    sentence: 'Retention of audit events. Without it, they are never deleted.',
  },
  metricsPort: {
    name: 'METRICS_PORT',
    type: type.integer({ min: 0, max: 65_535, example: '9464' }),
    fallback: null,
    sentence:
      'TCP port that serves /metrics for Prometheus, /healthz and /readyz without a key. 0 takes any free port. Without it, nothing is measured.',
  },
  metricsHost: {
    name: 'METRICS_HOST',
    type: type.text('a host name or an address to listen on', '127.0.0.1'),
    fallback: '127.0.0.1',
    sentence: 'Address of METRICS_PORT. 0.0.0.0 or :: exposes the metrics to other machines.',
  },
  drainSeconds: {
    name: 'DRAIN_SECONDS',
    type: type.integer({ min: 0, max: 300, example: '5' }),
    unit: 'seconds',
    fallback: '5',
    sentence:
      'How long `afterbell serve` keeps serving after a stop signal, with /readyz at 503. Set it longer than your load balancer takes to notice.',
  },
  brand: {
    name: 'BRAND',
    type: type.text('text', 'Example Data'),
    fallback: null,
    sentence:
      'Name that customers see on pages instead of Afterbell. It is also part of the webhook header names and User-Agent (`X-Service-Signature` without it), so inform receivers before you change it.',
  },
  logLevel: {
    name: 'LOG_LEVEL',
    type: type.choice(['debug', 'info', 'warn', 'error', 'silent']),
    fallback: 'info',
    sentence: 'Minimum level of log messages on stderr.',
    flag: { form: '--log-level <level>', on: 'every command' },
  },
  now: {
    name: 'NOW',
    type: type.instant('2026-02-02T14:00:00Z'),
    fallback: null,
    sentence:
      'Starts the clock at this instant, for replays of the past and for tests. Rejected when NODE_ENV is production.',
    flag: { form: '--now <instant>', on: ['start', 'serve', 'work', 'ingest'] },
  },
  nodeEnv: {
    name: 'NODE_ENV',
    type: type.text('text', 'production'),
    fallback: 'development',
    sentence:
      'In production, settings meant for tests are rejected, and a service that other machines can reach must set PUBLIC_URL.',
  },
} as const satisfies Record<string, SettingSpec<unknown>>;

function isSymbol(item: string): boolean {
  return parseSymbol(item) !== null;
}

function isProcessCount(text: string): boolean {
  return text === 'auto' || (/^[1-9]\d?$/.test(text) && Number(text) <= 64);
}

function isTimeOrOff(text: string): boolean {
  return text === 'off' || /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
}
