import { allAccepted, TOGETHER } from './connection-backlog.ts';
import { hold } from './slow-clients.ts';
import type { CrowdOrders, CrowdReport } from './slow-client-process.ts';

// Holds up connections as its orders say, and tells what became of them.

process.once('message', (orders) => void holdAll(orders as CrowdOrders));

async function holdAll({ port, beatMs, holds }: CrowdOrders): Promise<void> {
  const held: ReturnType<typeof hold>[] = [];
  let openCount = 0;
  for (let at = 0; at < holds.length; at += TOGETHER) {
    const some = holds.slice(at, at + TOGETHER).map((one) => hold(port, { ...one, beatMs }));
    held.push(...some);
    const opened = await Promise.all(some.map(({ isOpen }) => isOpen));
    openCount += opened.filter(Boolean).length;
    await allAccepted(port);
  }
  const ended = await Promise.all(held.map((one) => one.ended));
  const report: CrowdReport = { openCount, ended };
  process.send?.(report, () => process.disconnect());
}
