import type { Instant } from '../../../platform/instant.ts';
import { draws, randomInt, randomUnit } from './random.ts';

/**
 * Time between revisions. One company's estimates are revised every three minutes, day and night,
 * so that the market keeps changing. Each round has one slot per company, in an order drawn for the
 * round.
 */
const SLOT_MS = 180_000;

export interface Revisions {
  /** Returns the company's latest revision at or before `at`. */
  lastOf(index: number, at: Instant): Revision;
  /** Returns the company's revision in that round. */
  inRound(index: number, round: number): Revision;
  /** Returns the companies revised after `from` and up to `to`. */
  between(from: Instant, to: Instant): Set<number>;
}

export interface Revision {
  round: number;
  at: Instant;
}

interface RoundOrder {
  factor: number;
  inverse: number;
  start: number;
}

export function revisions(seed: number, companies: number): Revisions {
  const orders = new Map<number, RoundOrder>();

  function orderOf(round: number): RoundOrder {
    let order = orders.get(round);
    if (order === undefined) orders.set(round, (order = drawOrder(seed, companies, round)));
    return order;
  }

  function inRound(index: number, round: number): Revision {
    const { inverse, start } = orderOf(round);
    const position = modulo(inverse * (index - start), companies);
    return { round, at: instantOf(seed, round * companies + position) };
  }

  function lastOf(index: number, at: Instant): Revision {
    const round = Math.floor(at / SLOT_MS / companies);
    const revision = inRound(index, round);
    return revision.at <= at ? revision : inRound(index, round - 1);
  }

  function between(from: Instant, to: Instant): Set<number> {
    const revised = new Set<number>();
    for (let slot = Math.floor(from / SLOT_MS); slot * SLOT_MS <= to; slot++) {
      const at = instantOf(seed, slot);
      if (at <= from || at > to) continue;
      const { factor, start } = orderOf(Math.floor(slot / companies));
      revised.add(modulo(factor * (slot % companies) + start, companies));
    }
    return revised;
  }

  return { lastOf, inRound, between };
}

function instantOf(seed: number, slot: number): Instant {
  return slot * SLOT_MS + randomInt(SLOT_MS / 1000, seed, draws.within, slot) * 1000;
}

/**
 * Draws the order of a round. Stepping by a factor coprime to `size` visits every position once.
 */
function drawOrder(seed: number, size: number, round: number): RoundOrder {
  let factor = 1 + Math.floor(randomUnit(seed, draws.round, round) * size);
  while (greatestDivisor(factor, size) !== 1) factor++;
  return {
    factor: factor % size,
    inverse: inverseOf(factor, size),
    start: randomInt(size, seed, draws.roundStart, round),
  };
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

/** Returns the modular inverse of `factor`, by the extended Euclidean algorithm. */
function inverseOf(factor: number, size: number): number {
  let [rest, next] = [modulo(factor, size), size];
  let [inverse, following] = [1, 0];
  while (next !== 0) {
    const times = Math.floor(rest / next);
    [rest, next] = [next, rest - times * next];
    [inverse, following] = [following, inverse - times * following];
  }
  return modulo(inverse, size);
}

function modulo(value: number, size: number): number {
  return ((value % size) + size) % size;
}
