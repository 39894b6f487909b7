declare module 'autocannon' {
  /** The part of the load generator's API that the benches use. */
  interface Options {
    url: string;
    connections: number;
    requests?: readonly { path: string }[];
    /** Seconds. */
    duration?: number;
    /** Number of requests, instead of a duration. */
    amount?: number;
    headers?: Record<string, string>;
    /** Called once per connection. */
    setupClient?(client: { setRequests(requests: readonly { path: string }[]): void }): void;
  }
  interface Result {
    requests: { average: number; total: number };
    non2xx: number;
    errors: number;
    /** Measured duration in seconds. */
    duration: number;
  }
  function autocannon(options: Options): Promise<Result>;
  export = autocannon;
}
