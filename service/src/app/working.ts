import type { SecretCipher } from '../platform/encryption.ts';
import { startWebhooks } from './webhook-worker.ts';
import type { AppContext } from './context.ts';

/** The part that delivers webhooks; any number of processes may, none leads. */
export async function startWorking(base: AppContext, cipher: SecretCipher): Promise<void> {
  const {
    db,
    clock,
    random,
    log,
    settings,
    notifications: hints,
    shutdown,
    metrics: measured,
  } = base;
  const worker = await startWebhooks({ db, clock, random, log, settings, cipher });
  shutdown.register('webhooks', worker.stop);
  measured.webhooks({ worker: worker.metrics, db, clock });
  hints.subscribe({
    onCommitted: worker.wake,
    onCommitElsewhere: worker.wake,
    onDeliveriesDue: worker.wake,
  });
}
