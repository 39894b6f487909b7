import { openSecretCipher } from '../../accounts/encrypted-secrets.ts';
import type { WebhookDeps } from '../../webhooks/webhook-deps.ts';
import { SecretsKeyError } from '../../platform/secrets-key.ts';
import type { Random } from '../../platform/random.ts';
import { readMarker } from '../../storage/marker.ts';
import { storeFolder } from '../../app/store-kind.ts';
import { webhookFacts } from '../../app/webhook-facts.ts';
import { type CliContext, CliError } from '../command.ts';

/** What the commands about webhooks have in common. */

/** Runs work on the store the command means, with the box that opens its secrets. */
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

/** The endpoint of that id, whosever it is. */
export async function endpointNamed(
  { db }: WebhookDeps,
  endpointId: string,
): Promise<{ customerId: string; endpointId: string }> {
  // At most one row, by the primary key.
  const [row] = await db.query<{ customer_id: string }>(
    `select customer_id from webhook_endpoint where id = $1 and deleted_at is null`,
    [endpointId],
  );
  if (row === undefined) throw new CliError(`no endpoint has the id ${endpointId}`);
  return { customerId: row.customer_id, endpointId };
}

/** Takes what was done, or tells why it was not. */
export function acted<Outcome extends { kind: string }, Kind extends Outcome['kind']>(
  outcome: Outcome,
  kind: Kind,
): Extract<Outcome, { kind: Kind }> {
  if (outcome.kind === kind) return outcome as Extract<Outcome, { kind: Kind }>;
  const { parameter, detail, retryAfterSeconds } = outcome as {
    parameter?: string;
    detail?: string;
    retryAfterSeconds?: number;
  };
  if (retryAfterSeconds !== undefined) {
    throw new CliError(`too many in a minute: try again in ${retryAfterSeconds} s`);
  }
  if (detail === undefined) throw new CliError(outcome.kind);
  throw new CliError(parameter === undefined ? detail : `${parameter}: ${detail}`);
}
