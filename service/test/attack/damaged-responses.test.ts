import { expect, test } from 'vitest';
import { seededRandom } from '../../src/platform/random.ts';
import { createSourceResponse } from '../../src/providers/source-response.ts';
import { findViolations } from '../support/providers/conformance-violations.ts';
import { SourceResponseError, type ParseResult } from '../../src/providers/provider.ts';
import { providers } from '../../src/providers/registry.gen.ts';
import { corrupt } from '../support/corruption.ts';
import { findInvalidDates, findDateFields } from '../support/invalid-dates.ts';
import { type SampleResponse, loadSampleResponses } from '../support/providers/sample-responses.ts';
import { runSeed, runSize } from '../support/run-size.ts';

const RESPONSES = runSize({ slice: 1_500, whole: 100_000 });
const SEED = runSeed();
const samples = loadSampleResponses();
/** Valid sample responses. The test damages these more often. */
const validSamples = samples.filter((sample) => parseUndamaged(sample).length > 0);
const dateFields = findDateFields(validSamples.flatMap(parseUndamaged));

test('loads sample responses for every feed, and recognizes their date fields', () => {
  const feeds = providers.flatMap(({ feeds: all }) => all.map(({ name }) => name));
  const sampledFeeds = new Set(samples.map(({ feed }) => feed.name));
  expect(feeds.filter((name) => !sampledFeeds.has(name))).toEqual([]);
  expect([...dateFields]).toEqual(expect.arrayContaining(['date', 'exDate', 'fiscalPeriodEnd']));
});

test(`parses ${RESPONSES} damaged responses from all providers into valid rows, rejected rows with a reason, or a rejection (seed ${SEED})`, () => {
  const random = seededRandom(SEED);
  const texts = samples.map(({ raw }) => raw.text);
  const counts = { refused: 0, unclaimed: 0, rows: 0, bars: 0, bad: 0 };
  for (let n = 0; n < RESPONSES; n += 1) {
    const pool = n % 8 === 0 ? samples : validSamples;
    const sample = pool[n % pool.length] as SampleResponse;
    const text = corrupt(random, sample.raw.text, texts);
    const outcome = parseDamaged(sample, text);
    if (outcome === 'unclaimed') counts.unclaimed += 1;
    else if (outcome instanceof SourceResponseError) counts.refused += 1;
    else {
      counts.rows += outcome.rows.length;
      counts.bars += outcome.bars?.rows.length ?? 0;
      counts.bad += outcome.bad.length;
    }
  }
  console.log(`${RESPONSES} responses: ${JSON.stringify(counts)}`);
  // Most responses must be partly valid, since those are the cases this test is about.
  expect(counts.refused).toBeGreaterThan(RESPONSES / 20);
  expect(counts.refused + counts.unclaimed).toBeLessThan(RESPONSES * 0.8);
  expect(counts.bad).toBeGreaterThan(RESPONSES / 20);
  expect(counts.rows).toBeGreaterThan(RESPONSES / 2);
});

/**
 * Returns the result of parsing the undamaged response, or an empty list if the parser rejects it.
 */
function parseUndamaged({ feed, raw }: SampleResponse): ParseResult[] {
  try {
    return [feed.parse(createSourceResponse(raw))];
  } catch (error) {
    if (error instanceof SourceResponseError) return [];
    throw error;
  }
}

/**
 * Parses the response with the feed that claims it. Throws if a feed crashes or returns invalid
 * data.
 */
function parseDamaged(
  { provider, feed, name, raw }: SampleResponse,
  text: string,
): ParseResult | SourceResponseError | 'unclaimed' {
  const response = createSourceResponse({ ...raw, text });
  try {
    for (const other of providers) for (const each of other.feeds) each.claims(response);
    const reader = provider.feeds.find((each) => each.claims(response));
    if (reader === undefined) return 'unclaimed';
    const parsed = reader.parse(response);
    const faults = [...findViolations(reader, parsed), ...findInvalidDates(parsed, dateFields)];
    if (faults.length > 0) throw new Error(faults.join('; '));
    return parsed;
  } catch (error) {
    if (error instanceof SourceResponseError && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(error.reason))
      return error;
    const label = `${provider.name} ${feed.name} ${name} (seed ${SEED})`;
    throw new Error(`${label}: ${String(error)}\n${JSON.stringify(text.slice(0, 3_000))}`, {
      cause: error,
    });
  }
}
