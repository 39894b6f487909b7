import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { openSecretCipher } from '../../accounts/encrypted-secrets.ts';
import type { Random } from '../../platform/random.ts';
import type { Settings } from '../../config/settings.ts';
import { currentKind, requireSignUpPlan, storeFolder } from '../../app/store-kind.ts';
import type { Db } from '../../storage/db.ts';
import { readWebhookCaFile } from '../../app/webhook-worker.ts';
import { broken, type Check, ok, skipped, warning } from './check.ts';

const MIB = 1024 * 1024;
/**
 * Minimum free space. With less, the next ingestion may fail, because one day of data from all
 * sources takes a few tens of MiB.
 */
const FREE_MIB_MIN = 256;
const FREE_MIB_LOW = 2048;

/** Checks the free space on the data folder's disk. */
export async function checkDisk(folder: string): Promise<Check> {
  const free = await freeMib(folder);
  if (free === null) return skipped('disk', `the free space for ${folder} is unknown`);
  const message = `${Math.floor(free)} MiB free for ${folder}`;
  const fix = 'free some space, or move DATA_DIR to a larger disk';
  if (free < FREE_MIB_MIN) return broken('disk', message, fix);
  return free < FREE_MIB_LOW ? warning('disk', message, fix) : ok('disk', message);
}

/**
 * Returns the free space in the folder or its closest existing parent, or null if it is unknown.
 */
async function freeMib(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return (bavail * bsize) / MIB;
  } catch {
    return dirname(folder) === folder ? null : freeMib(dirname(folder));
  }
}

/** Checks whether a power failure can lose commits of the embedded store. */
export function checkSync({ embeddedSync }: Settings): Check {
  if (embeddedSync === 'commit') return ok('sync', 'every commit survives a power failure');
  return warning(
    'sync',
    'EMBEDDED_SYNC=off: a power failure can lose commits or damage the store',
    'set EMBEDDED_SYNC=commit',
  );
}

/** Checks that WEBHOOK_CA_FILE, if set, contains certificates. */
export async function checkCaFile({ webhookCaFile }: Settings): Promise<Check[]> {
  if (webhookCaFile === null) return [];
  const message = `extra CA certificates for receivers: ${webhookCaFile}`;
  return [await checkRejection('webhooks', message, () => readWebhookCaFile(webhookCaFile))];
}

/** Checks that the key for stored secrets is available. Never generates a key. */
export function checkSecrets(db: Db, settings: Settings, random: Random): Promise<Check> {
  return checkRejection('secrets', 'all stored secrets can be decrypted', async () => {
    const folder = storeFolder(settings.dataDir, await currentKind(db, settings));
    await openSecretCipher({
      db,
      random,
      setting: settings.secretsKey,
      folder,
      createsFile: false,
    });
  });
}

/** Checks that the plan in SIGN_UP_PLAN, if set, exists. */
export async function checkSignUpPlan(db: Db, { signUpPlan }: Settings): Promise<Check[]> {
  if (signUpPlan === null) return [];
  const message = `new users get the plan ${signUpPlan}`;
  return [await checkRejection('sign-up', message, () => requireSignUpPlan(db, signUpPlan))];
}

/**
 * Runs a step of the service's startup as a check. The check fails if the step throws, because the
 * service could not start either.
 */
async function checkRejection(
  check: string,
  message: string,
  step: () => Promise<unknown>,
): Promise<Check> {
  try {
    await step();
    return ok(check, message);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return broken(
      check,
      error.message,
      'see above; the service will not start until this is fixed',
    );
  }
}
