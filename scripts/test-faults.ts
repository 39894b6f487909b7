import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// npm run test:faults runs the full number of kills and faults, which takes hours
// npm run test:faults -- 20 runs 20 kills of each kind
// npm run test:faults -- 20 kill attack/invalid-keys runs only the test files with these names
//
// `npm test` runs a few of each. Set AFTERBELL_SEED to repeat a run. Database kills require a
// PostgreSQL server started by the test; webhook kills randomly target the worker, the database or
// both. At most a hundred backups are made and restored. Requests drawn from the API descriptions are
// sent for AFTERBELL_SECONDS to each of v1, the owner's calls and the operator's calls. The service is
// simulated for AFTERBELL_DAYS.

const KILLS_DEFAULT = '500';

const FILES = [
  'service/src/storage/kill.test.ts',
  'service/test/kill-replay.test.ts',
  'service/test/kill-streams.test.ts',
  'service/src/ingest/lease.test.ts',
  'service/src/metering/kill.test.ts',
  'service/src/metering/quota-histories.test.ts',
  'service/src/delivery/kill.test.ts',
  'service/src/delivery/kill-database.test.ts',
  'service/src/delivery/histories.test.ts',
  'service/test/provider-faults.test.ts',
  'service/test/simulator/simulator.test.ts',
  'service/test/roles/rolling-restart.test.ts',
  'service/test/roles/chaos.test.ts',
  'service/test/roles/poolers.test.ts',
  'service/test/roles/failover.test.ts',
  'service/test/cells/',
  'service/src/storage/engines/postgres/poolers.test.ts',
  'service/test/contract.test.ts',
  'service/test/restore-drill.test.ts',
  'service/test/secrets-hunt.test.ts',
  'service/src/webhooks/message/signature.test.ts',
  'sdk/src/verify-webhook.test.ts',
  'dashboard/test/journeys/hostile-',
  'service/test/attack/',
];

const [kills = KILLS_DEFAULT, ...names] = process.argv.slice(2);
if (!/^[1-9]\d{0,5}$/.test(kills)) {
  console.error(
    'The number of kills must be a whole number, for example: npm run test:faults -- 20',
  );
  process.exit(1);
}
const files = names.length === 0 ? FILES : names;
const child = spawn('vitest', ['run', '--testTimeout', '14400000', ...files], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: 'inherit',
  env: {
    AFTERBELL_DAYS: '100000',
    AFTERBELL_SECONDS: '600',
    AFTERBELL_KILLS: kills,
    AFTERBELL_HISTORIES: kills,
    AFTERBELL_WHOLE: '1',
    ...process.env,
  },
});
child.on('close', (code) => {
  // All other versions of PostgreSQL that are supported; the tests above ran on the newest one.
  const versions = names.length === 0 ? ['15', '16', '17'] : [];
  const failed = versions.filter((version) => spawnVersion(version) !== 0);
  if (failed.length > 0) console.error(`Failed on PostgreSQL ${failed.join(', ')}.`);
  process.exit(code === 0 && failed.length > 0 ? 1 : (code ?? 1));
});

function spawnVersion(version: string): number | null {
  const script = fileURLToPath(new URL('test-postgres.ts', import.meta.url));
  return spawnSync(process.execPath, [script, version], { stdio: 'inherit' }).status;
}
