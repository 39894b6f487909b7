import type { CalendarObservation } from '../../../src/datasets/earnings/observation.ts';
import { newYorkDate } from '../../../src/domain/new-york.ts';
import type { HttpClient } from '../../../src/platform/http-client.ts';
import type { Exchange, ExchangeResult } from '../../../src/platform/http-exchange.ts';
import { createSourceClient } from '../../../src/platform/source-client.ts';
import type { Random } from '../../../src/platform/random.ts';
import {
  type SourceResponse,
  SourceResponseError,
  type Feed,
  type FeedRun,
  type ParseResult,
  type Provider,
} from '../../../src/providers/provider.ts';
import { providers } from '../../../src/providers/registry.gen.ts';
import { type PublishedReports, createPublishedReports } from './companies.ts';
import type { Counts } from './counts.ts';
import { between, chance, pick } from './random-draws.ts';
import type { SimulatedProcess } from './process.ts';
import type { Timeline } from './timeline.ts';

/** Faults in a source's response to one request. Most requests have none. */
const FAULTS = [
  ...(['500', '503', '429', 'timeout', 'network', 'html', 'cut off', 'old', 'empty'] as const),
];

/** Sources that have a feed of this name, whose schedule and precedence the simulated ones use. */
export const SOURCE_NAMES = ['fmp', 'alphavantage'] as const;

/** Returns a provider for ingestion whose rows are observations as JSON. */
function simulatedProvider(name: string): Provider {
  const host = `${name}.example`;
  const feed: Feed = {
    name: 'earnings-calendar',
    datasets: ['earnings'],
    claims: (response) => response.host === host,
    parse,
    plan: () => [{ url: `https://${host}/calendar`, headers: {} }],
    schedule: scheduleOf(name),
  };
  return {
    name,
    title: name,
    provides: 'stub data',
    homepage: '',
    redistribution: 'synthetic',
    terms: '',
    hosts: [host],
    limits: {
      intervalMsMin: 300,
      timeoutMs: 8e3,
      bodyBytesMax: 1e6,
      cooldownMs: 900001,
    },
    settings: [],
    feeds: [feed],
  };
}

function scheduleOf(name: string): readonly FeedRun[] {
  const provider = providers.find((candidate) => candidate.name === name);
  const schedule = provider?.feeds.find((feed) => feed.name === 'earnings-calendar')?.schedule;
  if (schedule === undefined) throw new Error(`${name} has no schedule`);
  return schedule;
}

function parse(response: SourceResponse): ParseResult {
  const rows = response.json();
  if (!Array.isArray(rows))
    throw new SourceResponseError('damaged', 'not-json', 'the body is no list of rows');
  return {
    rows: (rows as CalendarObservation[]).map((fields) => ({
      dataset: 'earnings',
      entityKey: fields.symbol,
      naturalKey: (fields.fiscalPeriodEnd ?? '').slice(0, 7),
      fields,
    })),
    bad: [],
  };
}

export interface SimulatedSource {
  provider: Provider;
  exchangeOf(process: SimulatedProcess): Exchange;
  /** Valid bodies that the source has sent, for use as late responses. */
  validBodies: string[];
  /** True while every response is faulty. */
  isFailing: boolean;
}

export function createSource(
  name: string,
  deps: { timeline: Timeline; random: Random; counts: Counts; nextCount(): number },
): SimulatedSource {
  const { timeline, random, counts } = deps;
  const reports: PublishedReports = createPublishedReports(random, deps.nextCount);
  const source: SimulatedSource = {
    provider: simulatedProvider(name),
    validBodies: [],
    isFailing: false,
    exchangeOf: (process) => () =>
      new Promise((resolve) => {
        const result = nextResult();
        const tookMs = result.kind === 'timeout' ? 8_000 : between(random, 20, 2_000);
        process.setExactTimer(tookMs, () => resolve(result));
      }),
  };

  function nextResult(): ExchangeResult {
    if (source.isFailing || chance(random, 0.15)) {
      const fault = pick(random, FAULTS);
      counts.add(`source: ${fault}`);
      return faultyResult(fault);
    }
    return response(200, validBody());
  }

  function validBody(): string {
    const today = newYorkDate(timeline.now());
    if (chance(random, 0.45)) reports.change(today);
    const text = JSON.stringify(reports.rows(today));
    source.validBodies = [...source.validBodies.slice(-19), text];
    return text;
  }

  function faultyResult(fault: (typeof FAULTS)[number]): ExchangeResult {
    if (fault === 'timeout') return { kind: 'timeout' };
    if (fault === 'network') return { kind: 'network', detail: 'simulated' };
    if (fault === 'html') return response(200, '<html>maintenance</html>');
    if (fault === 'cut off') return response(200, validBody().slice(0, -30));
    if (fault === 'empty') return response(200, '[]');
    // Sends an earlier body as if it were current.
    if (fault === 'old')
      return response(
        200,
        source.validBodies.length === 0 ? '[]' : pick(random, source.validBodies),
      );
    return response(Number(fault), '');
  }

  return source;
}

function response(status: number, text: string): ExchangeResult {
  return {
    kind: 'response',
    status,
    contentType: 'application/json',
    text,
    cookies: [],
    location: undefined,
    retryAfter: undefined,
    date: undefined,
  };
}

/**
 * Gives one process access to the sources, through the real source client on a simulated network.
 */
export function simulatedClient(
  process: SimulatedProcess,
  random: Random,
  sources: readonly SimulatedSource[],
): HttpClient {
  return {
    source(options) {
      const source = sources.find(({ provider }) => provider.name === options.name);
      if (source === undefined) throw new Error(`unknown source ${options.name}`);
      const exchange = source.exchangeOf(process);
      return createSourceClient({ clock: process.clock, random, exchange }, options);
    },
    close: () => Promise.resolve(),
  };
}
