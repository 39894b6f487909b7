import { generateKey } from '../../src/accounts/keys/key-format.ts';
import { seededRandom } from '../../src/platform/random.ts';
import type { Bench } from './bench.ts';
import { calendarDay } from './calendar-day.ts';
import { headersOf, load, type Load, measure, startChild } from './read-load.ts';

const RATIO_MIN = 0.8;
const ROUNDS = 11;
const SERVER = new URL('./hot-read-server.ts', import.meta.url);

/**
 * Compares a hot read of a calendar day, with the key in the query, all headers and the ETag, to a
 * bare Node server that sends the same bytes from a prepared header list and body. Rounds
 * alternate, so that other load on the machine affects both. The reported figure is the median of
 * the round ratios. A second bare server sends only type, length and body. Both ratios must reach
 * the target. `cpuMicros…` is the server's CPU time per request, which excludes the cost of the
 * load generator.
 */
export const bench: Bench = {
  name: 'hot read against bare node:http',
  target: 'both ratios ≥ 0.80',
  async run() {
    const key = generateKey('test', seededRandom(9));
    const path = `/v1/calendar/earnings?date=2026-11-20&apikey=${key}`;
    const ours = await startChild(SERVER, ['ours', key]);
    const headers = await headersOf(`${ours.url}${path}`);
    const bare = await startChild(SERVER, ['bare', JSON.stringify(headers)]);
    const least = await startChild(SERVER, ['bare', JSON.stringify(headers.slice(0, 4))]);
    const servers = [ours, bare, least];
    try {
      for (const server of servers) await load(server.url, path, 1);
      const rounds: Load[][] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const loads: Load[] = [];
        const order = round % 2 === 0 ? [0, 1, 2] : [2, 1, 0];
        for (const at of order) loads[at] = await measure(servers[at] ?? ours, path);
        rounds.push(loads);
      }
      const ratio = medianOf(rounds, ([a, b]) => a.perSecond / b.perSecond);
      const againstTwoHeaders = medianOf(rounds, ([a, , c]) => a.perSecond / c.perSecond);
      return {
        passed: Math.min(ratio, againstTwoHeaders) >= RATIO_MIN,
        figures: {
          ratio: ratio.toFixed(3),
          ratioAgainstTwoHeaders: againstTwoHeaders.toFixed(3),
          oursPerSecond: Math.round(medianOf(rounds, ([a]) => a.perSecond)),
          barePerSecond: Math.round(medianOf(rounds, ([, b]) => b.perSecond)),
          twoHeadersPerSecond: Math.round(medianOf(rounds, ([, , c]) => c.perSecond)),
          cpuMicrosOurs: medianOf(rounds, ([a]) => a.cpuMicros).toFixed(1),
          cpuMicrosBare: medianOf(rounds, ([, b]) => b.cpuMicros).toFixed(1),
          cpuMicrosTwoHeaders: medianOf(rounds, ([, , c]) => c.cpuMicros).toFixed(1),
          bodyBytes: JSON.stringify(calendarDay()).length,
          headers: headers.length / 2,
        },
      };
    } finally {
      for (const server of servers) server.stop();
    }
  },
};

/**
 * Returns the median over all rounds. `figure` derives one value per round from three loads: ours,
 * bare, and bare with two headers.
 */
function medianOf(
  rounds: readonly Load[][],
  figure: (loads: [Load, Load, Load]) => number,
): number {
  const values = rounds.map((loads) => figure(loads as [Load, Load, Load]));
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
