/** Measurements from a child process of the replay bench. */
export interface ReplayFigures {
  seconds: number;
  /** CPU time of all threads, including the embedded store's thread. */
  cpuSeconds: number;
  /** Peak memory. */
  memoryMb: number;
  /** Event loop delay: p50, p99 and maximum. The timer itself adds 5 ms. */
  loopDelayMs: number[];
  feeds: Record<string, FeedFigures>;
}

export interface FeedFigures {
  responses: number;
  rows: number;
  seconds: number;
}
