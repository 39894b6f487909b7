import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * Preloaded into a child process with `--import`. On exit, writes the peak memory in kilobytes to
 * the file given in MEMORY_REPORT.
 */
const file = process.env['MEMORY_REPORT'];
if (isMainThread && file !== undefined) {
  process.on('exit', () => writeFileSync(file, String(process.resourceUsage().maxRSS)));
}
