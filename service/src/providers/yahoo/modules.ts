import type { JsonObject } from '../kit/json.ts';

/** Parts of a page about a company; absent where they were not asked for. */
export interface Modules {
  symbol: string;
  observedAt: number;
  module(name: string): JsonObject | null;
}
