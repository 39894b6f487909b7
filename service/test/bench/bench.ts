/** A benchmark, run by `run.ts`. */
export interface Bench {
  name: string;
  /** Target of the benchmark, as text. */
  target: string;
  run(): Promise<{ passed: boolean; figures: Record<string, string | number> }>;
}
