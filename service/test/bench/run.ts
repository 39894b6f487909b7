import { cpus } from 'node:os';
import { bench as hotRead } from './hot-read.ts';
import type { Bench } from './bench.ts';
import { bench as replay } from './replay.ts';
import { bench as startup } from './startup.ts';

/** All benches, in the order they run. */
const BENCHES: readonly Bench[] = [hotRead, replay, startup];

const wanted = process.argv[2] ?? '';
const chosen = BENCHES.filter((bench) => bench.name.includes(wanted));
process.stderr.write(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}\n`);
for (const bench of chosen) {
  process.stderr.write(`\n${bench.name} (${bench.target})\n`);
  const { passed, figures } = await bench.run();
  process.stdout.write(`${JSON.stringify({ bench: bench.name, passed, ...figures })}\n`);
  if (!passed) process.exitCode = 1;
}
