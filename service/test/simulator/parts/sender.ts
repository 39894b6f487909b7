import type { PendingRule } from '../../../src/webhooks/queue/open-deliveries.ts';
import type { Random } from '../../../src/platform/random.ts';
import type { SecretCipher } from '../../../src/platform/encryption.ts';
import type { WebhookAgent } from '../../../src/delivery/send/agent.ts';
import { template } from '../../../src/webhooks/templates/earnings-schedule.ts';
import { startWebhookWorker, type WebhookWorker } from '../../../src/delivery/worker/worker.ts';
import type { Db } from '../../../src/storage/db.ts';
import { silentLog } from '../../support/logs.ts';
import type { SimulatedProcess } from '../world/process.ts';

export interface SimulatedSender {
  process: SimulatedProcess;
  worker: WebhookWorker;
}

/** Runs the real webhook worker in one process, on a simulated network. */
export function startSender(
  process: SimulatedProcess,
  deps: {
    random: Random;
    agent: WebhookAgent;
    cipher: SecretCipher;
    rule?: PendingRule | undefined;
    /** Store for the worker. Defaults to the process's store; a planted bug replaces it. */
    db?: Db | undefined;
  },
): SimulatedSender {
  const { random, agent, cipher, rule, db = process.db } = deps;
  const worker = startWebhookWorker({
    db,
    clock: process.clock,
    random,
    agent,
    cipher,
    rule,
    brand: 'Service',
    log: silentLog,
    templates: [template],
  });
  return { process, worker };
}
