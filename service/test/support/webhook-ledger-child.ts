import { seededRandom } from '../../src/platform/random.ts';
import type { LedgerAsk, LedgerTold } from './webhook-ledger.ts';
import { moody, startReceivers } from './webhook-receiver.ts';

// Receivers in a process of their own, moody until told to be calm; answers what it is asked.
const { secret, seed } = JSON.parse(process.argv[2] ?? '') as { secret: string; seed: number };
const receivers = await startReceivers(secret);
receivers.behave(moody(seededRandom(seed)));
process.on('message', (ask: LedgerAsk) => tell(answer(ask)));
process.on('disconnect', () => process.exit(0));
tell({ port: receivers.port });

function answer(ask: LedgerAsk): LedgerTold {
  if (ask === 'calm') receivers.behave(() => 'answer');
  const posts = receivers.postCount();
  if (ask !== 'ledger') return { posts };
  const { newest, answered, wrong } = receivers;
  return {
    ledger: { newest: [...newest], answered: [...answered], wrong: [...wrong], posts },
  };
}

function tell(message: LedgerTold): void {
  process.send?.(message);
}
