declare module 'autocannon' {
  /** As much of the load generator as the benches use. */
  interface Options {
    url: string;
    connections: number;
    requests?: readonly { path: string }[];
    duration: number;
    headers?: Record<string, string>;
  }
  interface Result {
    requests: { average: number; total: number };
    non2xx: number;
    errors: number;
    /** Seconds it really took. */
    duration: number;
  }
  function autocannon(options: Options): Promise<Result>;
  export = autocannon;
}
