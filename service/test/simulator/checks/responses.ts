import type { Random } from '../../../src/platform/random.ts';
import type { ReaderResponse, SimulatedReader } from '../parts/reader.ts';
import { SYMBOLS } from '../world/companies.ts';
import { between, pick } from '../world/random-draws.ts';

const DAY_MS = 86_400_000;
const HISTORY_MAX = 60;

/**
 * Checks that historical responses never change, that equal ETags mean equal bodies and vice versa,
 * and that cached responses equal fresh ones.
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
    { now, isSettled }: { now: number; isSettled: boolean },
  ): Promise<void> {
    const path = pathOf(this.#random, now);
    const cached = await this.#get(reader, path);
    const fresh = await this.#getUncached(reader, path);
    const areBothOk = cached.status === 200 && fresh.status === 200;
    if (isSettled && areBothOk && cached.body !== fresh.body) {
      this.#report(`${path} is cached as ${cached.body}, but a fresh response is ${fresh.body}`);
    }
    await this.#checkHistory(reader, now);
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
    return this.#checkResponse(path, await reader.get(path, this.#key));
  }

  async #getUncached(reader: SimulatedReader, path: string): Promise<ReaderResponse> {
    return this.#checkResponse(path, await reader.getUncached(path, this.#key));
  }

  #checkResponse(path: string, response: ReaderResponse): ReaderResponse {
    this.#count += 1;
    if (response.status === 200) this.#checkTag(path, response);
    else if (![404, 503].includes(response.status)) {
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

function pathOf(random: Random, now: number): string {
  if (random.int(3) > 0) return `/v1/earnings?symbol=${pick(random, SYMBOLS)}`;
  const day = new Date(now + between(random, -20, 40) * DAY_MS).toISOString().slice(0, 10);
  return `/v1/calendar/earnings?date=${day}`;
}
