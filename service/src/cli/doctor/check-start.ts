import { openSecretCipher } from '../../accounts/encrypted-secrets.ts';
import type { Random } from '../../platform/random.ts';
import type { Settings } from '../../config/settings.ts';
import { currentKind, requireSignUpPlan, storeFolder } from '../../app/store-kind.ts';
import type { Db } from '../../storage/db.ts';
import { readWebhookCaFile } from '../../app/webhook-worker.ts';
import { broken, type Check, ok } from './check.ts';

/** What stops a start although every setting is well by itself, by the eyes of the start. */

/** Whether the file of WEBHOOK_CA_FILE, where one is named, holds certificates. */
export async function checkCaFile({ webhookCaFile }: Settings): Promise<Check[]> {
  if (webhookCaFile === null) return [];
  const text = `certificates of receivers: ${webhookCaFile}`;
  return [await refusalOf('webhooks', text, () => readWebhookCaFile(webhookCaFile))];
}

/** Whether there is a key that opens the store's secrets; none is made. */
export function checkSecrets(db: Db, settings: Settings, random: Random): Promise<Check> {
  return refusalOf('secrets', 'nothing is sealed that could not be opened', async () => {
    const folder = storeFolder(settings.dataDir, await currentKind(db, settings));
    await openSecretCipher({ db, random, setting: settings.secretsKey, folder, createsFile: false });
  });
}

/** Whether the store has the plan of SIGN_UP_PLAN, where one is named. */
export async function checkSignUpPlan(db: Db, { signUpPlan }: Settings): Promise<Check[]> {
  if (signUpPlan === null) return [];
  const text = `people sign up for the plan ${signUpPlan}`;
  return [await refusalOf('sign-up', text, () => requireSignUpPlan(db, signUpPlan))];
}

async function refusalOf(check: string, text: string, act: () => Promise<unknown>): Promise<Check> {
  try {
    await act();
    return ok(check, text);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return broken(check, error.message, 'see above: until then the service does not start');
  }
}
