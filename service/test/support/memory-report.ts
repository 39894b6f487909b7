import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a child by `--import`: at its end it writes into the file named by MEMORY_REPORT how
 * much memory it held at most, in kilobytes.
 */
const file = process.env['MEMORY_REPORT'];
if (isMainThread && file !== undefined) {
  process.on('exit', () => writeFileSync(file, String(process.resourceUsage().maxRSS)));
}
