import { devAllow } from '../../src/webhooks/address/dev-allow.ts';
import { fakeClock } from './fake-clock.ts';
import { createWebhookAgent } from '../../src/delivery/send/webhook-agent.ts';
import { watchConnections } from './watch-connections.ts';

export interface FloodedReport {
  /** Distinct pairs of flood and post outcome. */
  outcomes: [kind: string, outcome: string][];
  /** Maximum number of bytes that one post read. */
  readMax: number;
  /** Peak memory growth during the first round, after the same number of ordinary posts. */
  firstBytes: number;
  /** Peak memory growth during the second round. */
  secondBytes: number;
}

// Posts to flooding receivers in a separate process, so that its memory is used only for sending.
// It first sends as many ordinary posts as there are floods, because both grow a new heap by the
// same amount. Then it sends to all floods in turn, twice.
// Arguments: port of the receivers, number of concurrent posts, names of the floods. Uses a clock
// that does not advance. Prints a `FloodedReport`.

const [port = '', concurrency = '', ...kinds] = process.argv.slice(2);
const agent = createWebhookAgent({
  clock: fakeClock(0),
  resolver: { resolve: () => Promise.resolve([]) },
  rules: { ports: [443], devAllow: devAllow([`127.0.0.1:${port}`]) },
});
const connections = watchConnections();
const outcomes = new Set<string>();
let readMax = 0;

async function flood(kind: string, count: number): Promise<void> {
  const url = `http://127.0.0.1:${port}/${kind}`;
  const post = () => agent.post({ url, headers: [], body: new Uint8Array(100) });
  for (const outcome of await Promise.all(Array.from({ length: count }, post))) {
    const isCut = outcome.kind === 'responded' && outcome.truncated;
    const end =
      outcome.kind === 'failed' ? outcome.code : `${outcome.status}${isCut ? ' cut' : ''}`;
    outcomes.add(JSON.stringify([kind, end]));
  }
  // Releases the sockets, because their buffers would be measured as memory.
  for (const { bytesRead } of connections.sockets.splice(0)) readMax = Math.max(readMax, bytesRead);
}

/** Returns the peak memory growth while posting to every flood. */
async function measureRound(): Promise<number> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const sample = (): void => void (peak = Math.max(peak, process.memoryUsage.rss()));
  const timer = setInterval(sample, 10);
  for (const kind of kinds) {
    await flood(kind, Number(concurrency));
    sample();
  }
  clearInterval(timer);
  return peak - before;
}

for (let count = 0; count < 2 * kinds.length; count += 1)
  await flood('ordinary', Number(concurrency));
outcomes.clear();
readMax = 0;
const firstBytes = await measureRound();
const secondBytes = await measureRound();
await agent.close();
const report: FloodedReport = {
  outcomes: [...outcomes].map((text) => JSON.parse(text) as [string, string]),
  readMax,
  firstBytes,
  secondBytes,
};
process.stdout.write(JSON.stringify(report));
