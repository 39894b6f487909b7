import type { Clock } from '../platform/clock.ts';
import { addressBlock } from './address-block.ts';

/**
 * Slows down whoever sends keys that are none: each address has so many failures at once, and so
 * many more a minute. Keys that are right cost nothing and come in all the same: who shares an address
 * with a guesser is not shut out, and of 190 random bits nobody guesses one.
 */
export interface FailedKeys {
  /** Seconds, rounded up, until this address may present a wrong key again; 0 when it may now. */
  waitSeconds(address: string): number;
  /** Counts a key that was refused. */
  failed(address: string): void;
  /** Failures an address may have at once. */
  readonly burst: number;
  /** How many addresses are known. */
  readonly size: number;
}

export interface FailedKeysOptions {
  clock: Pick<Clock, 'monotonicMs'>;
  /** Failures an address may have at once. */
  burst?: number;
  /** How many it gets back each minute. */
  perMinute?: number;
  /** Beyond so many addresses the one whose last failure is the oldest is forgotten. */
  addressesMax?: number;
}

interface Bucket {
  /** Failures left at `atMs`. */
  left: number;
  atMs: number;
}

const BURST = 60;
const PER_MINUTE = 30;
const ADDRESSES_MAX = 20_000;

export function failedKeys(options: FailedKeysOptions): FailedKeys {
  const { clock, burst = BURST, perMinute = PER_MINUTE, addressesMax = ADDRESSES_MAX } = options;
  const msPerFailure = 60_000 / perMinute;
  const wholeAgainMs = burst * msPerFailure;
  /** The one with the oldest last failure first. */
  const buckets = new Map<string, Bucket>();

  function leftIn(bucket: Bucket, nowMs: number): number {
    return Math.min(burst, bucket.left + (nowMs - bucket.atMs) / msPerFailure);
  }

  function makeRoom(nowMs: number): void {
    for (const [block, { atMs }] of buckets) {
      const isWhole = nowMs - atMs >= wholeAgainMs;
      if (!isWhole && buckets.size < addressesMax) return;
      buckets.delete(block);
    }
  }

  return {
    burst,
    waitSeconds(address) {
      if (buckets.size === 0) return 0;
      const bucket = buckets.get(addressBlock(address));
      if (bucket === undefined) return 0;
      const left = leftIn(bucket, clock.monotonicMs());
      return left >= 1 ? 0 : Math.ceil(((1 - left) * msPerFailure) / 1_000);
    },
    failed(address) {
      const block = addressBlock(address);
      const nowMs = clock.monotonicMs();
      const bucket = buckets.get(block);
      buckets.delete(block);
      const left = bucket === undefined ? burst : leftIn(bucket, nowMs);
      makeRoom(nowMs);
      buckets.set(block, { left: Math.max(0, left - 1), atMs: nowMs });
    },
    get size() {
      return buckets.size;
    },
  };
}
