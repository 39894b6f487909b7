import { allAccepted, BACKLOG_MAX } from './connection-backlog.ts';
import { openSlowConnection } from './slow-clients.ts';
import type { SlowClientOptions, SlowClientReport } from './slow-client-process.ts';

// Opens the slow connections in its options and reports the results.

process.once('message', (orders) => void run(orders as SlowClientOptions));

async function run({ port, beatMs, holds }: SlowClientOptions): Promise<void> {
  const connections: ReturnType<typeof openSlowConnection>[] = [];
  let openCount = 0;
  for (let index = 0; index < holds.length; index += BACKLOG_MAX) {
    const batch = holds
      .slice(index, index + BACKLOG_MAX)
      .map((connection) => openSlowConnection(port, { ...connection, beatMs }));
    connections.push(...batch);
    const openStates = await Promise.all(batch.map(({ isOpen }) => isOpen));
    openCount += openStates.filter(Boolean).length;
    await allAccepted(port);
  }
  const connectionResults = await Promise.all(connections.map((connection) => connection.closed));
  const report: SlowClientReport = { openCount, closed: connectionResults };
  process.send?.(report, () => process.disconnect());
}
