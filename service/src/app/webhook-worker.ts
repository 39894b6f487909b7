import { headerBrand } from '../webhooks/message/delivery-headers.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Random } from '../platform/random.ts';
import type { SecretCipher } from '../platform/encryption.ts';
import type { Settings } from '../config/settings.ts';
import type { Db } from '../storage/db.ts';
import { readWebhookCaFile } from './webhook-ca-file.ts';
import { webhookUrlRules } from './webhook-facts.ts';
import { createWebhookAgent } from '../delivery/send/create-agent.ts';
import { systemResolver } from '../delivery/send/resolver.ts';
import { templates } from '../webhooks/templates/registry.gen.ts';
import { startWebhookWorker, type WebhookWorker } from '../delivery/worker/worker.ts';

/** Starts what tells subscribers of changes, with an agent that goes where the settings let it. */
export async function startWebhooks(deps: {
  db: Db;
  clock: Clock;
  random: Random;
  log: Log;
  cipher: SecretCipher;
  settings: Settings;
}): Promise<WebhookWorker> {
  const { settings, ...others } = deps;
  const { webhookCaFile, webhookDevAllow } = settings;
  const extraCa = await readWebhookCaFile(webhookCaFile);
  if (webhookDevAllow.length > 0) {
    others.log.warn(
      { allowed: webhookDevAllow },
      'WEBHOOK_DEV_ALLOW is set: webhooks may be delivered inside this network',
    );
  }
  return startWebhookWorker({
    ...others,
    agent: createWebhookAgent({
      clock: deps.clock,
      resolver: systemResolver(),
      rules: webhookUrlRules(settings),
      extraCa,
    }),
    brand: headerBrand(settings.brand),
    templates,
    retention: { attempts: settings.webhookAttemptDays, deliveries: settings.webhookDeliveryDays },
    // A clock that was set on purpose is off on purpose.
    checksClock: settings.now === null,
  });
}
