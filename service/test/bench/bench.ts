/** One measurement, run by `run.ts`. */
export interface Bench {
  name: string;
  /** What is hoped for, in words. */
  target: string;
  run(): Promise<{ passed: boolean; figures: Record<string, string | number> }>;
}
