import { openSecretCipher } from '../../accounts/encrypted-secrets.ts';
import type { WebhookDeps } from '../../webhooks/webhook-deps.ts';
import { SecretsKeyError } from '../../platform/secrets-key.ts';
import type { Random } from '../../platform/random.ts';
import { readMarker } from '../../storage/marker.ts';
import { storeFolder } from '../../app/store-kind.ts';
import { webhookFacts } from '../../app/webhook-facts.ts';
import { type CliContext, CliError } from '../command.ts';

/** Opens the store, runs `work` with it and the cipher for its secrets, and closes it. */
export async function withWebhooks(
  context: CliContext,
  random: Random,
  work: (deps: WebhookDeps) => Promise<void>,
): Promise<void> {
  const { db, close } = await context.openStore();
  try {
    const settings = context.settings();
    const kind = (await readMarker(db, 'kind')) === 'sandbox' ? 'sandbox' : 'live';
    const folder = storeFolder(settings.dataDir, kind);
    const cipher = await openSecretCipher({ db, random, setting: settings.secretsKey, folder });
    await work({ db, clock: context.clock, random, cipher, webhooks: webhookFacts(settings) });
  } catch (error) {
    throw error instanceof SecretsKeyError ? new CliError(error.message) : error;
  } finally {
    await close();
  }
}

export async function requireEndpoint(
  { db }: WebhookDeps,
  endpointId: string,
): Promise<{ customerId: string; endpointId: string }> {
  const [row] = await db.query<{ customer_id: string }>(
    `select customer_id from webhook_endpoint where id = $1 and deleted_at is null`,
    [endpointId],
  );
  if (row === undefined) throw new CliError(`no endpoint has the ID ${endpointId}`);
  return { customerId: row.customer_id, endpointId };
}
