import type { Clock } from '../platform/clock.ts';
import { networkAddress } from '../platform/network-address.ts';

/** Slows down clients that try invalid keys, with a token bucket per address. */
export interface FailedAuthLimiter {
  /**
   * Returns the number of seconds, rounded up, until this address may try another invalid key, or 0
   * if it may do so now.
   */
  waitSeconds(address: string): number;
  /** Records that a key was rejected. */
  recordFailure(address: string): void;
  /** Number of failures that an address may cause in a burst. */
  readonly burst: number;
}

export interface FailedAuthLimiterOptions {
  clock: Pick<Clock, 'monotonicMs'>;
  /** Processes among which the limits are divided. Default: 1. */
  processes?: number | undefined;
  burst?: number;
  /** Number of failures restored per minute. */
  perMinute?: number;
  /**
   * Maximum number of remembered addresses. Above this number, the address whose last failure is
   * the oldest is evicted.
   */
  addressesMax?: number;
}

interface Bucket {
  /** Number of failures left at `atMs`. */
  remaining: number;
  atMs: number;
}

const BURST = 60;
const PER_MINUTE = 30;
const ADDRESSES_MAX = 20_000;

export function createFailedAuthLimiter(
  options: FailedAuthLimiterOptions,
): FailedAuthLimiter & { readonly size: number } {
  return new AddressLimiter(options);
}

/**
 * Limits failures per address. Valid keys are always accepted and never counted, so sharing an
 * address with an attacker does not block a customer. A key has 190 random bits and cannot be
 * guessed.
 */
class AddressLimiter implements FailedAuthLimiter {
  readonly burst: number;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #addressesMax: number;
  readonly #msPerFailure: number;
  /** Buckets by network, ordered by the time of the last failure, oldest first. */
  readonly #buckets = new Map<string, Bucket>();

  constructor({
    clock,
    processes = 1,
    burst = Math.ceil(BURST / processes),
    perMinute = Math.ceil(PER_MINUTE / processes),
    addressesMax = ADDRESSES_MAX,
  }: FailedAuthLimiterOptions) {
    this.burst = burst;
    this.#clock = clock;
    this.#addressesMax = addressesMax;
    this.#msPerFailure = 60_000 / perMinute;
  }

  /** Number of remembered addresses. */
  get size(): number {
    return this.#buckets.size;
  }

  waitSeconds(address: string): number {
    if (this.#buckets.size === 0) return 0;
    const bucket = this.#buckets.get(networkAddress(address));
    if (bucket === undefined) return 0;
    const remaining = this.#remaining(bucket, this.#clock.monotonicMs());
    return remaining >= 1 ? 0 : Math.ceil(((1 - remaining) * this.#msPerFailure) / 1_000);
  }

  recordFailure(address: string): void {
    const network = networkAddress(address);
    const nowMs = this.#clock.monotonicMs();
    const bucket = this.#buckets.get(network);
    this.#buckets.delete(network);
    const remaining = bucket === undefined ? this.burst : this.#remaining(bucket, nowMs);
    this.#evict(nowMs);
    this.#buckets.set(network, { remaining: Math.max(0, remaining - 1), atMs: nowMs });
  }

  #remaining(bucket: Bucket, nowMs: number): number {
    return Math.min(this.burst, bucket.remaining + (nowMs - bucket.atMs) / this.#msPerFailure);
  }

  /** Removes full buckets, and then the oldest bucket if there are still too many. */
  #evict(nowMs: number): void {
    const fullRefillMs = this.burst * this.#msPerFailure;
    for (const [network, { atMs }] of this.#buckets) {
      const isFull = nowMs - atMs >= fullRefillMs;
      if (!isFull && this.#buckets.size < this.#addressesMax) return;
      this.#buckets.delete(network);
    }
  }
}
