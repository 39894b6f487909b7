/** What a child process of the replay bench measured. */
export interface ReplayFigures {
  seconds: number;
  /** Of all threads: the store's own is among them when it is embedded. */
  cpuSeconds: number;
  /** The most it ever held. */
  memoryMb: number;
  /** Delay of the event loop, 5 ms of which are the timer's own: p50, p99, the longest. */
  loopDelayMs: number[];
  feeds: Record<string, FeedFigures>;
}

export interface FeedFigures {
  answers: number;
  rows: number;
  seconds: number;
}
