import type { JsonObject } from '../kit/json.ts';

/** The modules in a company page, each null if it was not requested. */
export interface Modules {
  symbol: string;
  observedAt: number;
  module(name: string): JsonObject | null;
}
