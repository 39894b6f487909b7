import { type Random, seededRandom } from '../../../src/platform/random.ts';
import type { ReaderResponse, SimulatedReader } from '../parts/reader.ts';
import { SYMBOLS } from '../world/companies.ts';
import { resultUnlessDead } from '../world/process.ts';
import { between, pick } from '../world/random-draws.ts';

const DAY_MS = 86_400_000;
const HISTORY_MAX = 60;

/** Values of the store's own observation times, or without a history. */
const NOT_COMPARED: ReadonlySet<string> = new Set([
  'name',
  'marketCap',
  'updatedAt',
  'estimateAsOf',
  'revenueEstimateAsOf',
]);

/** Replaces the response of a process that died first. */
const NO_RESPONSE: ReaderResponse = { status: 503, body: '', etag: '' };

/**
 * Checks that historical responses never change, that equal ETags mean equal bodies and vice versa,
 * that cached responses equal fresh ones, and that public knowledge never looks ahead and, as of
 * now, equals the current data.
 */
export class ResponseCheck {
  readonly #random: Random;
  readonly #key: string;
  readonly #report: (violation: string) => void;
  readonly #history: { path: string; body: string }[] = [];
  readonly #bodyByTag = new Map<string, string>();
  readonly #tagByBody = new Map<string, string>();
  #count = 0;

  constructor(
    { random, key }: { random: Random; key: string },
    report: (violation: string) => void,
  ) {
    this.#random = random;
    this.#key = key;
    this.#report = report;
  }

  count(): number {
    return this.#count;
  }

  /**
   * Checks one request. `isSettled` means that the reader has had time to learn of every commit.
   */
  async check(
    reader: SimulatedReader,
    { now, isSettled, isQuiet }: { now: number; isSettled: boolean; isQuiet: boolean },
  ): Promise<void> {
    const path = pathOf(this.#random, now);
    const cached = await this.#get(reader, path);
    const fresh = await this.#getUncached(reader, path);
    const areBothOk = cached.status === 200 && fresh.status === 200;
    if (isSettled && areBothOk && cached.body !== fresh.body) {
      this.#report(`${path} is cached as ${cached.body}, but a fresh response is ${fresh.body}`);
    }
    await this.#checkHistory(reader, now);
    // A source of its own, so that the other checks of a seed draw what they always drew.
    const random = seededRandom(now);
    await this.#checkPublicTime(reader, random, now);
    if (isQuiet) await this.#checkPublicNow(reader, random, now);
  }

  async #checkPublicTime(reader: SimulatedReader, random: Random, now: number): Promise<void> {
    const at = now - random.int(40) * between(random, 1, DAY_MS);
    const path = `${earningsPath(random)}&known=public&asOf=${new Date(at).toISOString()}`;
    const { status, body } = await this.#getUncached(reader, path);
    if (status !== 200) return;
    for (const { updatedAt } of JSON.parse(body) as { updatedAt: string }[]) {
      if (Date.parse(updatedAt) > at) this.#report(`${path} looks ahead to ${updatedAt}: ${body}`);
    }
  }

  /** Compares what the public knows now with current data, which no document of the future has. */
  async #checkPublicNow(reader: SimulatedReader, random: Random, now: number): Promise<void> {
    const path = earningsPath(random);
    const asOf = new Date(now).toISOString();
    const current = await this.#getUncached(reader, path);
    const known = await this.#getUncached(reader, `${path}&known=public&asOf=${asOf}`);
    if (current.status !== 200 || known.status !== 200) return;
    if (comparable(known.body) !== comparable(current.body)) {
      this.#report(`${path}: the public knows ${known.body} at ${asOf}, not ${current.body}`);
    }
  }

  async #checkHistory(reader: SimulatedReader, now: number): Promise<void> {
    const earlier = this.#history.length === 0 ? null : pick(this.#random, this.#history);
    if (earlier !== null) {
      const current = await this.#getUncached(reader, earlier.path);
      if (current.status === 200 && current.body !== earlier.body) {
        this.#report(`${earlier.path} was ${earlier.body}, and is ${current.body}`);
      }
    }
    const ageMs = this.#random.int(10) * between(this.#random, 1, DAY_MS);
    const asOf = new Date(now - ageMs).toISOString();
    const path = `${pathOf(this.#random, now)}&asOf=${asOf.replace(/\.\d+Z/, 'Z')}`;
    const { status, body } = await this.#getUncached(reader, path);
    if (status !== 200) return;
    if (this.#history.length >= HISTORY_MAX) {
      this.#history.splice(this.#random.int(HISTORY_MAX), 1);
    }
    this.#history.push({ path, body });
  }

  async #get(reader: SimulatedReader, path: string): Promise<ReaderResponse> {
    return this.#responseOf(reader, path, reader.get(path, this.#key));
  }

  async #getUncached(reader: SimulatedReader, path: string): Promise<ReaderResponse> {
    return this.#responseOf(reader, path, reader.getUncached(path, this.#key));
  }

  async #responseOf(
    { process }: SimulatedReader,
    path: string,
    response: Promise<ReaderResponse>,
  ): Promise<ReaderResponse> {
    const received = await resultUnlessDead(response, process);
    return this.#checkResponse(path, received ?? NO_RESPONSE);
  }

  #checkResponse(path: string, response: ReaderResponse): ReaderResponse {
    this.#count += 1;
    if (response.status === 200) this.#checkTag(path, response);
    else if (![404, 503].includes(response.status) && !isNotKnownYet(response)) {
      this.#report(`${path} returned ${response.status}: ${response.body}`);
    }
    return response;
  }

  #checkTag(path: string, { etag, body }: ReaderResponse): void {
    const earlierBody = this.#bodyByTag.get(etag);
    const earlierTag = this.#tagByBody.get(body);
    if (earlierBody !== undefined && earlierBody !== body) {
      this.#report(`${path}: one ETag for two bodies`);
    }
    if (earlierTag !== undefined && earlierTag !== etag) {
      this.#report(`${path}: two ETags for one body`);
    }
    if (this.#bodyByTag.size > 5_000) this.#bodyByTag.clear();
    if (this.#tagByBody.size > 5_000) this.#tagByBody.clear();
    this.#bodyByTag.set(etag, body);
    this.#tagByBody.set(body, etag);
  }
}

function isNotKnownYet({ status, body }: ReaderResponse): boolean {
  return status === 400 && body.includes('"code":"not-known-yet"');
}

function comparable(body: string): string {
  return JSON.stringify(
    JSON.parse(body, (name, value: unknown) => (NOT_COMPARED.has(name) ? null : value)),
  );
}

function earningsPath(random: Random): string {
  return `/v1/earnings?symbol=${pick(random, SYMBOLS)}`;
}

function pathOf(random: Random, now: number): string {
  if (random.int(3) > 0) return earningsPath(random);
  const day = new Date(now + between(random, -20, 40) * DAY_MS).toISOString().slice(0, 10);
  return `/v1/calendar/earnings?date=${day}`;
}
