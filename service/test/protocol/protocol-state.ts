/** Rules that a run may leave out, to show which guarantee each of them keeps. */
export type Bug = 'supersede-off' | 'fencing-off' | 'intent-not-durable' | 'endpoint-lock-off';

export interface Bounds {
  workers: number;
  endpoints: number;
  changes: number;
  /** Responses that are lost or are not 2xx. */
  failures: number;
  /** Crashes of a worker, or suspensions past its lease. */
  crashes: number;
  bug?: Bug;
}

export interface Delivery {
  id: number;
  /** The data that the receiver may have seen under this id, or null. */
  sent: number | null;
  /** The open claim that lists this delivery: its attempt, and the data that it stored. */
  claim: { attempt: number; data: number } | null;
  attempts: number;
}

/** One worker's knowledge of its work for one endpoint. Lost in a crash. */
export interface Task {
  phase: 'reading' | 'claimed' | 'sent' | 'accepted' | 'failed';
  id: number;
  attempt: number;
  data: number;
  /** False for an attempt that failed before the first byte. */
  maybeSent: boolean;
  /** True once the lease has expired. By then the request has arrived or never will. */
  isLate: boolean;
}

export interface Endpoint {
  /** Version of the data that the last fan-out compared. */
  fannedOut: number;
  acknowledged: number;
  /** The receiver may have seen data that it has not acknowledged. */
  maybeSeen: boolean;
  waiting: Delivery | null;
  /** The delivery in flight, once a successor waits for its outcome. */
  leaving: Delivery | null;
  nextId: number;
  tasks: (Task | null)[];
  receiver: { newest: number; bodies: (number | null)[] };
}

export interface State {
  version: number;
  failures: number;
  crashes: number;
  endpoints: Endpoint[];
}

export interface Step {
  name: string;
  endpoint: number;
  worker: number;
  state: State;
  /** The guarantee that the step breaks. */
  violation?: string;
}

export function firstState({ workers, endpoints }: Pick<Bounds, 'workers' | 'endpoints'>): State {
  const endpoint = (): Endpoint => ({
    fannedOut: 0,
    acknowledged: 0,
    maybeSeen: false,
    waiting: null,
    leaving: null,
    nextId: 0,
    tasks: Array.from({ length: workers }, () => null),
    receiver: { newest: 0, bodies: [] },
  });
  const all = Array.from({ length: endpoints }, endpoint);
  return { version: 0, failures: 0, crashes: 0, endpoints: all };
}

/** Copies what steps change in place. */
export function copy(endpoint: Endpoint): Endpoint {
  const { waiting, leaving, tasks, receiver } = endpoint;
  return {
    ...endpoint,
    waiting: waiting && { ...waiting },
    leaving: leaving && { ...leaving },
    tasks: tasks.map((task) => task && { ...task }),
    receiver: { ...receiver, bodies: [...receiver.bodies] },
  };
}
