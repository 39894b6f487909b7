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

const ANSWERS = runSize({ slice: 1_500, whole: 100_000 });
const SEED = runSeed();
const known = loadSampleResponses();
/** Valid sample responses, which are damaged more often. */
const sound = known.filter((one) => soundly(one).length > 0);
const days = findDateFields(sound.flatMap(soundly));

test('every feed has sample responses, and their date fields are recognized', () => {
  const feeds = providers.flatMap(({ feeds: all }) => all.map(({ name }) => name));
  const read = new Set(known.map(({ feed }) => feed.name));
  expect(feeds.filter((name) => !read.has(name))).toEqual([]);
  expect([...days]).toEqual(expect.arrayContaining(['date', 'exDate', 'fiscalPeriodEnd']));
});

test(`${ANSWERS} damaged responses of all providers yield valid rows, rejected rows with a reason, or a rejection (seed ${SEED})`, () => {
  const random = seededRandom(SEED);
  const texts = known.map(({ raw }) => raw.text);
  const counts = { refused: 0, unclaimed: 0, rows: 0, bars: 0, bad: 0 };
  for (let n = 0; n < ANSWERS; n += 1) {
    const of = n % 8 === 0 ? known : sound;
    const one = of[n % of.length] as SampleResponse;
    const text = corrupt(random, one.raw.text, texts);
    const outcome = readDamaged(one, text);
    if (outcome === 'unclaimed') counts.unclaimed += 1;
    else if (outcome instanceof SourceResponseError) counts.refused += 1;
    else {
      counts.rows += outcome.rows.length;
      counts.bars += outcome.bars?.rows.length ?? 0;
      counts.bad += outcome.bad.length;
    }
  }
  console.log(`${ANSWERS} answers: ${JSON.stringify(counts)}`);
  // Most responses must be partly valid, since those are the cases under test.
  expect(counts.refused).toBeGreaterThan(ANSWERS / 20);
  expect(counts.refused + counts.unclaimed).toBeLessThan(ANSWERS * 0.8);
  expect(counts.bad).toBeGreaterThan(ANSWERS / 20);
  expect(counts.rows).toBeGreaterThan(ANSWERS / 2);
});

/** Result of parsing the undamaged response, unless the parser rejects it. */
function soundly({ feed, raw }: SampleResponse): ParseResult[] {
  try {
    return [feed.parse(createSourceResponse(raw))];
  } catch (error) {
    if (error instanceof SourceResponseError) return [];
    throw error;
  }
}

/**
 * Parses with the feed that claims the response. Throws if a feed crashes or returns invalid data.
 */
function readDamaged(
  { provider, feed, name, raw }: SampleResponse,
  text: string,
): ParseResult | SourceResponseError | 'unclaimed' {
  const answer = createSourceResponse({ ...raw, text });
  try {
    for (const other of providers) for (const each of other.feeds) each.claims(answer);
    const reader = provider.feeds.find((each) => each.claims(answer));
    if (reader === undefined) return 'unclaimed';
    const parsed = reader.parse(answer);
    const faults = [...findViolations(reader, parsed), ...findInvalidDates(parsed, days)];
    if (faults.length > 0) throw new Error(faults.join('; '));
    return parsed;
  } catch (error) {
    if (error instanceof SourceResponseError && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(error.reason))
      return error;
    const what = `${provider.name} ${feed.name} ${name} (seed ${SEED})`;
    throw new Error(`${what}: ${String(error)}\n${JSON.stringify(text.slice(0, 3_000))}`, {
      cause: error,
    });
  }
}
