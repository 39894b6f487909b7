import type { Clock, Timer } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { networkAddress } from '../platform/network-address.ts';

/** Refused requests that may be part of an attack. The names are labels of a metric. */
export const SECURITY_EVENTS = {
  wrong_key: 'requests with a wrong API key refused',
  key_misused: 'requests with an API key refused outside of its addresses or scopes',
  cross_origin: 'changes from pages of another origin refused',
  forbidden: 'calls without permission refused',
  foreign_id: 'calls with the IDs of another customer refused',
  webhook_address: 'webhook addresses that are not public refused',
} as const;

export type SecurityEventKind = keyof typeof SECURITY_EVENTS;

/** The first of the events that one line of the log counts. Never contains secrets. */
export interface SecurityEventSample {
  call?: string;
  /** ID of the person or key that sent the request. */
  caller?: string | null;
  customerId?: string | null;
  /** ID that the request named. */
  subject?: string;
}

/** Receives refused requests. */
export interface SecurityEvents {
  record(kind: SecurityEventKind, address: string, sample?: SecurityEventSample): void;
}

/** One line counts the events of a network in this time. */
const LINE_MS = 60_000;
/** Further networks share one line, so that a flood from many networks cannot fill the disk. */
const NETWORKS_MAX = 100;
const OTHERS = 'others';

interface Line {
  kind: SecurityEventKind;
  network: string;
  count: number;
  sample: SecurityEventSample;
}

/**
 * Logs refused requests: one line for each kind, network and minute, with a count. `count` receives
 * every event.
 */
export class SecurityLog implements SecurityEvents {
  readonly #clock: Pick<Clock, 'setTimer'>;
  readonly #log: Log;
  readonly #count: (kind: SecurityEventKind) => void;
  readonly #lines = new Map<string, Line>();
  readonly #networks = new Map<SecurityEventKind, number>();
  #timer: Timer | null = null;

  constructor(options: {
    clock: Pick<Clock, 'setTimer'>;
    log: Log;
    count: (kind: SecurityEventKind) => void;
  }) {
    this.#clock = options.clock;
    this.#log = options.log;
    this.#count = options.count;
  }

  record(kind: SecurityEventKind, address: string, sample: SecurityEventSample = {}): void {
    this.#count(kind);
    const network = networkAddress(address);
    const networks = this.#networks.get(kind) ?? 0;
    const line =
      this.#lines.get(`${kind} ${network}`) ??
      (networks < NETWORKS_MAX ? undefined : this.#lines.get(`${kind} ${OTHERS}`));
    if (line === undefined) {
      this.#networks.set(kind, networks + 1);
      const name = networks < NETWORKS_MAX ? network : OTHERS;
      this.#lines.set(`${kind} ${name}`, { kind, network: name, count: 1, sample });
      this.#timer ??= this.#clock.setTimer(LINE_MS, () => this.flush());
    } else {
      line.count += 1;
    }
  }

  /** Writes the lines of the current minute. */
  flush(): void {
    this.#timer?.cancel();
    this.#timer = null;
    for (const { kind, network, count, sample } of this.#lines.values()) {
      this.#log.warn(
        { event: `security.${kind}`, network, count, ...sample },
        SECURITY_EVENTS[kind],
      );
    }
    this.#lines.clear();
    this.#networks.clear();
  }
}
