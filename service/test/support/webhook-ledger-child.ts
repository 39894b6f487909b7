import { seededRandom } from '../../src/platform/random.ts';
import type { LedgerReply, LedgerRequest } from './webhook-ledger.ts';
import { flaky, startReceivers } from './webhook-receiver.ts';

// Runs receivers in their own process. Their responses are unreliable until the parent sends
// `calm`. Replies to each message.
const { secret, seed } = JSON.parse(process.argv[2] ?? '') as { secret: string; seed: number };
const receivers = await startReceivers(secret);
receivers.behave(flaky(seededRandom(seed)));
process.on('message', (request: LedgerRequest) => send(replyTo(request)));
process.on('disconnect', () => process.exit(0));
send({ port: receivers.port });

function replyTo(request: LedgerRequest): LedgerReply {
  if (request === 'calm') receivers.behave(() => 'answer');
  if (request === 'allow-older') receivers.allowOlderData();
  const posts = receivers.postCount();
  if (request !== 'ledger') return { posts };
  const { latestCounts, acknowledgedIds, violations } = receivers;
  return {
    ledger: {
      latestCounts: [...latestCounts],
      acknowledgedIds: [...acknowledgedIds],
      violations: [...violations],
      posts,
    },
  };
}

function send(reply: LedgerReply): void {
  process.send?.(reply);
}
