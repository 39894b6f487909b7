import type { SecretCipher } from '../platform/encryption.ts';
import { startWebhooks } from './webhook-worker.ts';
import type { Base } from './context.ts';

/** The part that delivers webhooks; any number of processes may, none leads. */
export async function startWorking(base: Base, cipher: SecretCipher): Promise<void> {
  const { db, clock, random, log, settings, hints, shutdown, measured } = base;
  const worker = await startWebhooks({ db, clock, random, log, settings, cipher });
  shutdown.register('webhooks', worker.stop);
  measured.webhooks({ worker: worker.metrics, db, clock });
  hints.listen({
    onCommitted: worker.wake,
    onCommitElsewhere: worker.wake,
    onDeliveriesDue: worker.wake,
  });
}
