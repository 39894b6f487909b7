import type { JsonObject } from '../kit/json.ts';

/** Modules of a company page; null if not requested. */
export interface Modules {
  symbol: string;
  observedAt: number;
  module(name: string): JsonObject | null;
}
