import { createHttpClient } from '../../src/platform/http-client.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { seededRandom } from '../../src/platform/random.ts';
import { createSourceResponse } from '../../src/providers/source-response.ts';
import { SourceResponseError } from '../../src/providers/provider.ts';
import { providers } from '../../src/providers/registry.gen.ts';

// Fetches paths from a server and parses each response with the feed in its path. Arguments:
// origin, then paths `/PROVIDER/FEED/NAME?of=URL`, where `URL` is the source's URL. Prints one JSON
// line per response with path and outcome.

const [origin = '', ...paths] = process.argv.slice(2);

for (const path of paths) console.log(JSON.stringify([path, await outcomeOf(path)]));

async function outcomeOf(path: string): Promise<string> {
  const [, providerName, feedName] = path.split(/[/?]/);
  const provider = providers.find(({ name }) => name === providerName);
  const feed = provider?.feeds.find(({ name }) => name === feedName);
  if (provider === undefined || feed === undefined) throw new Error(`no feed parses ${path}`);
  const client = createHttpClient({ clock: systemClock(), random: seededRandom(1) });
  const { name, limits } = provider;
  const source = client.source({ name, hosts: [origin], limits: { ...limits, intervalMsMin: 0 } });
  const result = await source.fetch({ url: `${origin}${path}`, headers: {} });
  await client.close();
  if (result.kind !== 'response') return result.reason;
  const url = new URL(path, origin).searchParams.get('of') ?? '';
  try {
    const { rows, bad } = feed.parse(createSourceResponse({ ...result.response, url }));
    return `${rows.length} good, ${bad.length} bad`;
  } catch (error) {
    if (error instanceof SourceResponseError) return error.reason;
    throw error;
  }
}
