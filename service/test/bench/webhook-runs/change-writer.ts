import { systemClock } from '../../../src/platform/clock.ts';
import { openStore } from '../../../src/storage/open-store.ts';
import { publish } from '../../support/webhook-world.ts';

/** Changes to make, one after another, each of the next company. */
export interface WriteRequest {
  firstChange: number;
  count: number;
  perSecond: number;
  symbols: readonly string[];
}

const clock = systemClock();

/**
 * Makes the changes at even intervals. A change has its number as the revenue estimate. Returns
 * the time at which each commit returned, in milliseconds since 1970 with fractions.
 */
export async function writeChanges(
  db: Parameters<typeof publish>[0]['db'],
  { firstChange, count, perSecond, symbols }: WriteRequest,
  onCommitted: () => void = () => undefined,
): Promise<number[]> {
  const committedAt: number[] = [];
  const startedMs = clock.monotonicMs();
  for (let index = 0; index < count; index += 1) {
    const aheadMs = (index / perSecond) * 1_000 - (clock.monotonicMs() - startedMs);
    if (aheadMs > 0) await clock.sleep(aheadMs);
    const change = firstChange + index;
    const symbol = symbols[change % symbols.length] ?? '';
    await publish({ db, clock }, symbol, { revenueEstimate: String(change) });
    committedAt.push(performance.timeOrigin + performance.now());
    onCommitted();
  }
  return committedAt;
}

// As a child process, makes the changes of each message on the PostgreSQL database of the argument.
const [, , databaseUrl] = process.argv;
if (process.send !== undefined && databaseUrl?.startsWith('postgres') === true) {
  const db = await openStore({ databaseUrl, migrates: false });
  process.on('message', (request: WriteRequest) => {
    void writeChanges(db, request).then((committedAt) => process.send?.(committedAt));
  });
  process.on('disconnect', () => process.exit(0));
  process.send('ready');
}
