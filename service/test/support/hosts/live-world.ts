import type { KnownCompanies } from '../../../src/datasets/securities/known-companies.ts';
import { marketCalendar } from '../../../src/domain/market/calendar.ts';
import { newYorkDate } from '../../../src/domain/new-york.ts';
import { createLiveFeeds, type LiveDeps } from '../../../src/ingest/live-feeds.ts';
import {
  type PlanContext,
  type Provider,
  type Scope,
  type SourceResponse,
  SourceResponseError,
} from '../../../src/providers/provider.ts';
import { storedUrl } from '../../../src/ingest/planned-requests.ts';
import { redactingClient } from '../../../src/ingest/redacting-client.ts';
import { emptyReport, type ResponseReport } from '../../../src/ingest/report.ts';
import { createHttpClient } from '../../../src/platform/http-client.ts';
import type { SourceState } from '../../../src/platform/source-memory.ts';
import { seededRandom } from '../../../src/platform/random.ts';
import { silentLog } from '../logs.ts';
import { memoryJobStore, uncontestedLease } from '../memory-job-store.ts';
import { fakeClock } from '../fake-clock.ts';
import { SOURCE_KEY } from './keyed-hosts.ts';
import type { ScriptedHost } from './scripted-host.ts';
import { ScriptedNetwork } from './scripted-network.ts';

const MINUTE_MS = 60_000;

export interface LiveWorldOptions {
  providers: readonly Provider[];
  hosts: readonly ScriptedHost[];
  startAt: number;
  /** Known companies. */
  symbols: readonly string[];
  /** Companies that report now. */
  reporters?: readonly string[];
  /** Companies that reported and whose result is unknown. */
  awaitingResult?: readonly string[];
  /** Overrides the settings of the sources. */
  settings?: Readonly<Record<string, string>>;
  /** Companies that report within a week. */
  reportingSoon?: readonly string[];
  /** Due economic releases, whose figures never come in. */
  awaitedFigures?: PlanContext['awaitedFigures'];
}

/**
 * Runs the production scheduler, clients and parsers against scripted hosts on a fake clock. Nothing
 * is stored: a response only counts as made, refused or rejected.
 */
export function liveWorld(options: LiveWorldOptions) {
  const { providers, hosts, startAt, symbols, reporters = [], awaitingResult = [] } = options;
  const { reportingSoon = [], awaitedFigures = [] } = options;
  const clock = fakeClock(startAt);
  const memory = memoryJobStore();
  const random = { ...seededRandom(1), int: () => 0 };
  const network = new ScriptedNetwork(clock, hosts);
  const { settings = {} } = options;
  const setting = settingOf(providers, settings);
  const client = redactingClient(createHttpClient({ clock, random, dispatcher: network }), {
    clock,
    providers,
    setting,
  });
  const all = companiesOf(symbols);
  const near = companiesOf(reporters);
  const refusals: string[] = [];
  const states = new Map<string, SourceState>();
  const saves: string[] = [];
  const deps: LiveDeps = {
    providers,
    client,
    clock,
    random,
    jobs: memory.jobs,
    log: silentLog,
    market: () => Promise.resolve(marketCalendar()),
    withLease: uncontestedLease,
    setting,
    pollMs: 5 * MINUTE_MS,
    recordFailure: (provider, { reason, url }) =>
      Promise.resolve(void refusals.push(`${provider} ${reason}: ${url}`)),
    ingest(response, _term, provider) {
      memory.respondedAt.set(storedUrl(response.url), clock.now());
      return Promise.resolve(reportOf(response, provider));
    },
    sourceMemory: (provider) => (host) => ({
      load: () => Promise.resolve(states.get(`${provider} ${host}`) ?? null),
      save(state) {
        saves.push(provider);
        return Promise.resolve(void states.set(`${provider} ${host}`, structuredClone(state)));
      },
    }),
    planContext: (scope: Scope): Promise<PlanContext> =>
      Promise.resolve({
        now: clock.now(),
        today: newYorkDate(clock.now()),
        ...(scope === 'all' ? all : near),
        symbolsAwaitingResult: awaitingResult,
        symbolsReportingSoon: reportingSoon,
        awaitedFigures,
        setting,
      }),
  };
  const start = () => createLiveFeeds(deps);
  return { clock, live: start(), restart: start, memory, refusals, saves };
}

/** Returns the values of settings: a contact, a key for each secret one, and no others. */
function settingOf(providers: readonly Provider[], settings: Readonly<Record<string, string>>) {
  const secrets = providers.flatMap((provider) => provider.settings.filter(({ secret }) => secret));
  return (name: string): string | undefined => {
    if (name === 'SEC_CONTACT') return 'Jane Doe jane@example.org';
    const isSecret = secrets.some((secret) => secret.name === name);
    return settings[name] ?? (isSecret ? SOURCE_KEY : undefined);
  };
}

function companiesOf(symbols: readonly string[]): KnownCompanies {
  const ciks = new Map(symbols.map((symbol, n) => [symbol, String(n + 1).padStart(10, '0')]));
  return { symbols, ciks };
}

function reportOf(response: SourceResponse, provider: Provider): ResponseReport {
  const feed = provider.feeds.find((candidate) => candidate.claims(response));
  const base = { provider: provider.name, feed: feed?.name ?? null, isDamaged: false };
  try {
    feed?.parse(response);
    return { ...base, datasets: [] };
  } catch (error) {
    if (!(error instanceof SourceResponseError)) throw error;
    const rejected = emptyReport(null, 'rejected', error.reason);
    return { ...base, datasets: [rejected], rejectedAs: error.kind };
  }
}
