import { cpus } from 'node:os';
import { bench as admission } from './admission.ts';
import { bench as hotRead } from './hot-read.ts';
import type { Bench } from './bench.ts';
import { bench as cells } from './cells.ts';
import { bench as companySets } from './company-sets/company-sets.ts';
import { bench as evening } from './evening/evening.ts';
import { bench as fairness } from './fairness/fairness.ts';
import { bench as lists } from './lists/lists.ts';
import { bench as meteredRead } from './metered-read.ts';
import { bench as parquet } from './parquet.ts';
import { bench as replay } from './replay.ts';
import { bench as serveProcesses } from './serve-processes.ts';
import { bench as bars } from './size/bars.ts';
import { bench as coldReads } from './size/cold-reads.ts';
import { closeSizedStore } from './size/sized-store.ts';
import { bench as streams } from './streams/streams.ts';
import { bench as unusualVolume } from './size/unusual-volume.ts';
import { bench as sharedQuotas } from './shared-quotas.ts';
import { bench as startup } from './startup.ts';
import { bench as webhookBacklog } from './webhook-runs/backlog.ts';
import { bench as webhookHeldSnapshot } from './webhook-runs/held-snapshot.ts';
import { bench as webhookLatency } from './webhook-runs/latency.ts';
import { bench as webhookNeighbors } from './webhook-runs/neighbors.ts';
import { bench as webhookConnections } from './webhook-runs/connections.ts';
import { bench as webhookSingleChanges } from './webhook-runs/single-changes.ts';
import { bench as webhooks } from './webhooks.ts';

/** All benches, in run order. */
const BENCHES: readonly Bench[] = [
  hotRead,
  meteredRead,
  sharedQuotas,
  serveProcesses,
  admission,
  replay,
  startup,
  webhooks,
  webhookLatency,
  webhookSingleChanges,
  webhookConnections,
  webhookNeighbors,
  webhookBacklog,
  webhookHeldSnapshot,
  cells,
  companySets,
  streams,
  evening,
  fairness,
  lists,
  parquet,
  bars,
  unusualVolume,
  coldReads,
];

// Uses the PostgreSQL version that operators run, if the machine has it.
process.env['AFTERBELL_TEST_POSTGRES'] ??= 'machine';
const requestedNames = process.argv.slice(2);
const chosen = BENCHES.filter(
  ({ name }) => requestedNames.length === 0 || requestedNames.some((words) => name.includes(words)),
);
process.stderr.write(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}\n`);
for (const bench of chosen) {
  process.stderr.write(`\n${bench.name} (${bench.target})\n`);
  const { passed, figures } = await bench.run();
  process.stdout.write(`${JSON.stringify({ bench: bench.name, passed, ...figures })}\n`);
  if (!passed) process.exitCode = 1;
}
await closeSizedStore();
