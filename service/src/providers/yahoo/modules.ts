import type { JsonObject } from '../kit/json.ts';

/** The modules of a company page; null for a module that was not requested. */
export interface Modules {
  symbol: string;
  observedAt: number;
  module(name: string): JsonObject | null;
}
