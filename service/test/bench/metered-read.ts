import type { Bench } from './bench.ts';
import { benchKeys } from './metered-keys.ts';
import { type Child, headersOf, load, type Load, measure, startChild } from './read-load.ts';

const RATIO_MIN = 0.75;
const ROUNDS = 5;
const SERVER = new URL('./metered-read-server.ts', import.meta.url);
const BARE_SERVER = new URL('./hot-read-server.ts', import.meta.url);

/**
 * Measures hot reads by four thousand customers in turn with everything enabled: keys, meter, usage
 * and request log. The first measurement uses Pro with the embedded store and is a ratio to a bare
 * Node server that sends the same bytes, in alternating rounds. The second uses Free, where every
 * count is stored before the response is sent.
 */
export const bench: Bench = {
  name: 'metered read against bare node:http',
  target: 'ratio on Pro, embedded ≥ 0.75',
  async run() {
    const paths = benchKeys().map((key) => `/v1/calendar/earnings?date=2026-11-20&apikey=${key}`);
    const pro = await startChild(SERVER, ['pro']);
    const bare = await startChild(BARE_SERVER, [
      'bare',
      JSON.stringify(await headersOf(pro.url + (paths[0] ?? ''))),
    ]);
    const rounds = await alternate(pro, bare, paths);
    const ratio = middle(rounds.map(([ours, theirs]) => ours.perSecond / theirs.perSecond));
    pro.stop();
    const free = await startChild(SERVER, ['free']);
    const durable = await alternate(free, bare, paths);
    for (const server of [free, bare]) server.stop();
    return {
      passed: ratio >= RATIO_MIN,
      figures: {
        ratioPro: ratio.toFixed(3),
        proPerSecond: Math.round(middle(rounds.map(([ours]) => ours.perSecond))),
        barePerSecond: Math.round(middle(rounds.map(([, theirs]) => theirs.perSecond))),
        cpuMicrosPro: middle(rounds.map(([ours]) => ours.cpuMicros)).toFixed(1),
        freePerSecond: Math.round(middle(durable.map(([ours]) => ours.perSecond))),
      },
    };
  },
};

/**
 * Alternates between our server and the bare server. Every connection requests the paths from the
 * first one on. In a second it covers a few hundred paths, each once per connection, so each round
 * has its own customers.
 */
async function alternate(ours: Child, bare: Child, paths: readonly string[]) {
  const share = Math.floor(paths.length / (ROUNDS + 1));
  for (const server of [ours, bare]) await load(server.url, paths.slice(0, share), 1);
  const rounds: [Load, Load][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const roundPaths = paths.slice((round + 1) * share, (round + 2) * share);
    const first = await measure(round % 2 === 0 ? ours : bare, roundPaths);
    const second = await measure(round % 2 === 0 ? bare : ours, roundPaths);
    rounds.push(round % 2 === 0 ? [first, second] : [second, first]);
  }
  return rounds;
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
