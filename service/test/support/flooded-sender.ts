import { devAllow } from '../../src/webhooks/address/dev-allow.ts';
import { fakeClock } from './fake-clock.ts';
import { createWebhookAgent } from '../../src/delivery/send/webhook-agent.ts';
import { watchConnections } from './watch-connections.ts';

export interface FloodedReport {
  /** Each kind with what its posts came to; many that came to the same are one. */
  outcomes: [kind: string, outcome: string][];
  /** Bytes that one post read, at most. */
  readMax: number;
  /** More memory than after as many ordinary posts, at most in the first round. */
  firstBytes: number;
  /** More than after the first round, at most in the second. */
  againBytes: number;
}

// Posts to floods in a process of its own, so that its memory is that of sending alone: as many ordinary
// posts as floods will come, since the heap of a new process grows by them as much; then all kinds one
// after the other, and all of them again.
// Arguments: the port of the receivers, how many of each at once, and the kinds. The clock stands
// still. Prints a `FloodedReport`.

const [port = '', each = '', ...kinds] = process.argv.slice(2);
const agent = createWebhookAgent({
  clock: fakeClock(0),
  resolver: { resolve: () => Promise.resolve([]) },
  rules: { ports: [443], devAllow: devAllow([`127.0.0.1:${port}`]) },
});
const watched = watchConnections();
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
  // Let go of, since what a socket still holds counts as memory.
  for (const { bytesRead } of watched.sockets.splice(0)) readMax = Math.max(readMax, bytesRead);
}

/** How much more memory is held at most while all kinds come. */
async function round(): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const look = (): void => void (most = Math.max(most, process.memoryUsage.rss()));
  const timer = setInterval(look, 10);
  for (const kind of kinds) {
    await flood(kind, Number(each));
    look();
  }
  clearInterval(timer);
  return most - before;
}

for (let count = 0; count < 2 * kinds.length; count += 1) await flood('ordinary', Number(each));
outcomes.clear();
readMax = 0;
const firstBytes = await round();
const againBytes = await round();
await agent.close();
const report: FloodedReport = {
  outcomes: [...outcomes].map((text) => JSON.parse(text) as [string, string]),
  readMax,
  firstBytes,
  againBytes,
};
process.stdout.write(JSON.stringify(report));
