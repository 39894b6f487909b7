import { readFile } from 'node:fs/promises';
import { type Settings, SettingsError } from '../config/settings.ts';
import { createWebhookAgent } from '../delivery/send/webhook-agent.ts';
import { parseProxy } from '../delivery/send/proxy-tunnel.ts';
import { systemResolver } from '../delivery/send/resolver.ts';
import { readCertificates } from '../delivery/send/trusted-roots.ts';
import { startWebhookWorker, type WebhookWorker } from '../delivery/worker/worker.ts';
import type { Clock } from '../platform/clock.ts';
import type { SecretCipher } from '../platform/encryption.ts';
import type { Log } from '../platform/log.ts';
import type { LoopHealth } from '../platform/loop-health.ts';
import type { Random } from '../platform/random.ts';
import type { Db } from '../storage/db.ts';
import { brandForHeaders } from '../webhooks/message/delivery-headers.ts';
import { templates } from '../webhooks/templates/registry.gen.ts';
import type { AppContext } from './context.ts';
import { webhookUrlRules } from './webhook-facts.ts';

/**
 * Delivers webhooks from this process. Any number of processes can do so at the same time; there is
 * no leader.
 */
export async function startWebhooks(app: AppContext, cipher: SecretCipher): Promise<void> {
  const { db, clock, notifications, shutdown, metrics } = app;
  const areClaimsHeld = () => app.failover?.areClaimsHeld() === true;
  const worker = await startConfiguredWorker({ ...app, cipher, areClaimsHeld });
  shutdown.register('webhooks', worker.stop);
  metrics.webhooks({ worker: worker.metrics, db, clock });
  notifications.subscribe({
    onCommitted: worker.wakeFanOut,
    onCommitElsewhere: worker.wakeFanOut,
    onDeliveriesDue: worker.wake,
  });
}

/** Starts a worker with the network rules, certificates and retention from the settings. */
export async function startConfiguredWorker(deps: {
  db: Db;
  clock: Clock;
  random: Random;
  log: Log;
  cipher: SecretCipher;
  settings: Settings;
  loops?: LoopHealth;
  areClaimsHeld?: () => boolean;
}): Promise<WebhookWorker> {
  const { db, clock, random, log, cipher, settings, loops, areClaimsHeld } = deps;
  const extraCa = await readWebhookCaFile(settings.webhookCaFile);
  if (settings.webhookDevAllow.length > 0) {
    log.warn(
      { event: 'setting.unsafe', allowed: settings.webhookDevAllow },
      'WEBHOOK_DEV_ALLOW is set: webhooks may be delivered to hosts inside this network',
    );
  }
  return startWebhookWorker({
    db,
    clock,
    random,
    log,
    cipher,
    ...(loops && { loops }),
    areClaimsHeld,
    agent: createWebhookAgent({
      clock,
      resolver: systemResolver(),
      rules: webhookUrlRules(settings),
      extraCa,
      idleConnectionsMax: settings.webhookIdleConnections,
      proxy: settings.webhookProxy === null ? null : parseProxy(settings.webhookProxy),
    }),
    brand: brandForHeaders(settings.brand),
    templates,
    retention: {
      attempts: settings.webhookAttemptDays,
      deliveries: settings.webhookDeliveryDays,
      auditEvents: settings.auditDays,
    },
    // NOW shifts the clock on purpose, so the clock is not compared with the database's.
    checksClock: settings.now === null,
  });
}

/**
 * Returns the PEM certificates in WEBHOOK_CA_FILE, or null if it is not set. Throws `SettingsError`
 * if the file cannot be used.
 */
export async function readWebhookCaFile(path: string | null): Promise<string | null> {
  if (path === null) return null;
  const pem = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw caFileError(`WEBHOOK_CA_FILE ${path} cannot be read (${error.code ?? error.message})`);
  });
  try {
    readCertificates(pem);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw caFileError(`WEBHOOK_CA_FILE ${path} cannot be used (${reason})`);
  }
  return pem;
}

function caFileError(problem: string): SettingsError {
  const fix = 'name a file of PEM certificates, or unset WEBHOOK_CA_FILE';
  return new SettingsError([{ problem, fix }]);
}
