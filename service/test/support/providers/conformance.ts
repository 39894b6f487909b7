import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localDate } from '../../../src/domain/local-date.ts';
import { parseInstant } from '../../../src/platform/instant.ts';
import { createSourceResponse } from '../../../src/providers/source-response.ts';
import { rejectConflicts } from '../../../src/providers/kit/reject-conflicts.ts';
import { findViolations } from './conformance-violations.ts';
import { mutations } from './mutations.ts';
import { canonicalJson } from '../../../src/providers/kit/canonical-json.ts';
import {
  type Feed,
  type ParseResult,
  type PlanContext,
  type Provider,
  SourceResponseError,
} from '../../../src/providers/provider.ts';

/** A response in the source's format, with its expected result. */
export interface ConformanceFixture {
  name: string;
  /** The only feed that claims the response. */
  feed: string;
  raw: Parameters<typeof createSourceResponse>[0];
  /** Number of rows, both valid and invalid, if countable. */
  rowsInSource?: number;
  /** Number of invalid rows. */
  badRows?: number;
  /** The `SourceResponseError` reason for an unusable response. */
  rejectionReason?: string;
}

export interface ConformanceOptions {
  provider: Provider;
  fixtures: readonly ConformanceFixture[];
  /** The test's `import.meta.url`. The readme must be in the same folder. */
  testUrl: string;
  context?: Partial<PlanContext>;
}

const NOW = parseInstant('2026-11-20T15:00:00Z') ?? 0;
/**
 * Number of mutations per fixture, small enough for daily runs. `FUZZ_RUNS` overrides it. A failure
 * prints its seed.
 */
const MUTATIONS_PER_FIXTURE = Number(process.env['FUZZ_RUNS'] ?? 150);
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Tests a provider's contract. Call it once from the provider's conformance test. */
export function describeProvider(options: ConformanceOptions): void {
  const { provider, fixtures } = options;
  describe(`provider ${provider.name} fulfills the provider contract`, () => {
    describeSelf(options);
    describePlans(provider, options.context ?? {});
    describe.each(fixtures)('response $name', (fixture) => {
      describeResponse(provider, fixture);
    });
  });
}

function describeSelf({ provider, fixtures, testUrl }: ConformanceOptions): void {
  const names = provider.feeds.map((feed) => feed.name);

  it("gives the provider's feeds unique names in kebab case", () => {
    expect(new Set(names).size).toBe(names.length);
    expect([provider.name, ...names].filter((name) => !KEBAB_CASE.test(name))).toEqual([]);
  });

  it("lists every feed in the provider's README", () => {
    const readme = readFileSync(new URL('readme.md', testUrl), 'utf8');
    expect(readme).toMatch(/^# \S/);
    expect(names.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
  });

  it("marks the live feeds in the provider's README", () => {
    const rows = readFileSync(new URL('readme.md', testUrl), 'utf8').split('\n');
    const documented = rows.flatMap((row) => /^\| `([^`]+)` .*\| live\b/.exec(row)?.[1] ?? []);
    const planned = provider.feeds.filter(({ plan }) => plan !== undefined);
    expect(documented).toEqual(expect.arrayContaining(planned.map(({ name }) => name)));
    expect(documented).toHaveLength(planned.length);
  });

  it("describes the provider's terms in a sentence, and a fix for each missing setting", () => {
    expect(provider.terms).toMatch(/\w.*\.$/s);
    expect(provider.settings.filter((setting) => !/\w/.test(setting.fix))).toEqual([]);
  });

  it("links to the provider's terms if the provider uses the network", () => {
    const isDocumented = provider.hosts.length === 0 || URL.canParse(provider.termsUrl ?? '');
    expect(isDocumented).toBe(true);
  });

  it('includes a fixture for every feed', () => {
    const covered = new Set(fixtures.map((fixture) => fixture.feed));
    expect(names.filter((name) => !covered.has(name))).toEqual([]);
  });

  it('claims no responses from other sources', () => {
    expect(
      provider.feeds.filter((feed) => FOREIGN.some((response) => feed.claims(response))),
    ).toEqual([]);
  });
}

function describePlans(provider: Provider, overrides: Partial<PlanContext>): void {
  const context: PlanContext = {
    now: NOW,
    today: localDate('2026-11-20'),
    symbols: ['ABCD'],
    ciks: new Map([['ABCD', '0000000001']]),
    setting: () => 'someone@example.com',
    ...overrides,
  };

  it("plans requests only to the provider's own hosts, without duplicates, and always in the same way", () => {
    for (const feed of provider.feeds) {
      const urls = (feed.plan?.(context) ?? []).map((request) => new URL(request.url));
      expect(urls.filter((url) => !provider.hosts.includes(url.hostname))).toEqual([]);
      expect(new Set(urls.map(String)).size).toBe(urls.length);
      expect(feed.plan?.(context)).toEqual(feed.plan?.(context));
    }
  });
}

function describeResponse(provider: Provider, fixture: ConformanceFixture): void {
  it('has exactly one feed that claims the response', () => {
    const claiming = provider.feeds.filter((feed) =>
      feed.claims(createSourceResponse(fixture.raw)),
    );
    expect(claiming.map((feed) => feed.name)).toEqual([fixture.feed]);
  });

  it('parses a fixture into the expected result, with every row counted', () => {
    const result = parseRaw(feedOf(provider, fixture), fixture.raw);
    expect(result instanceof SourceResponseError ? result.reason : undefined).toBe(
      fixture.rejectionReason,
    );
    if (result instanceof SourceResponseError) return;
    const validCount = Math.max(result.rows.length, result.bars?.rows.length ?? 0);
    const rowCount = validCount + result.bad.length;
    expect(rowCount).toBe(fixture.rowsInSource ?? rowCount);
    expect(result.bad.length).toBe(fixture.badRows ?? result.bad.length);
  });

  it('parses a response to the same result every time without modifying it', () => {
    const feed = feedOf(provider, fixture);
    const response = createSourceResponse(fixture.raw);
    const original = canonicalJson(response.json() ?? null);
    const first = canonicalJson(resultOf(() => feed.parse(response)));
    expect(canonicalJson(response.json() ?? null)).toBe(original);
    expect(canonicalJson(resultOf(() => feed.parse(response)))).toBe(first);
    expect(canonicalJson(parseRaw(feed, fixture.raw))).toBe(first);
  });

  it('parses a corrupted body into valid rows only, or rejects it', () => {
    const feed = feedOf(provider, fixture);
    fc.assert(
      fc.property(mutations(fixture.raw.text), (text) => {
        const result = parseRaw(feed, { ...fixture.raw, text });
        expect(result instanceof SourceResponseError ? [] : findViolations(feed, result)).toEqual(
          [],
        );
      }),
      { numRuns: MUTATIONS_PER_FIXTURE, examples: [[fixture.raw.text]] },
    );
  });
}

function feedOf(provider: Provider, fixture: ConformanceFixture): Feed {
  const feed = provider.feeds.find((candidate) => candidate.name === fixture.feed);
  if (feed === undefined) throw new Error(`${provider.name} has no feed ${fixture.feed}`);
  return feed;
}

function parseRaw(feed: Feed, raw: ConformanceFixture['raw']): ParseResult | SourceResponseError {
  return resultOf(() => feed.parse(createSourceResponse(raw)));
}

/**
 * Returns the result, or a `SourceResponseError` if there is one. Any other error is a defect and
 * is rethrown.
 */
function resultOf(parse: () => ParseResult): ParseResult | SourceResponseError {
  try {
    return rejectConflicts(parse());
  } catch (error) {
    if (error instanceof SourceResponseError) return error;
    throw error;
  }
}

const FOREIGN = [
  { url: 'https://elsewhere.example/', contentType: 'text/html', text: '<html></html>' },
  { url: 'https://elsewhere.example/v1/data?x=1', contentType: 'application/json', text: '[]' },
  { url: 'https://elsewhere.example/rows', contentType: 'text/csv', text: 'a,b\n1,2\n' },
].map((raw) => createSourceResponse({ ...raw, status: 200, observedAt: NOW }));
