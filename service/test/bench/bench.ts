/** A benchmark, run by `run.ts`. */
export interface Bench {
  name: string;
  /** The benchmark's target, as text. */
  target: string;
  run(): Promise<{ passed: boolean; figures: Record<string, string | number> }>;
}
