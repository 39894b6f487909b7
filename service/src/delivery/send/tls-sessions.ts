import type { TLSSocket } from 'node:tls';
import type { Clock } from '../../platform/clock.ts';
import { TLS_SESSION_AGE_MS_MAX, TLS_SESSIONS_MAX } from './limits.ts';

interface StoredSession {
  session: Buffer;
  /** Time of the handshake that verified the certificate, on the monotonic clock. */
  verifiedAtMs: number;
}

/**
 * The newest TLS session of each origin. A handshake that resumes one verifies no certificate, which is
 * most of its cost.
 */
export class TlsSessions {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /** Least recently stored first. */
  readonly #byOrigin = new Map<string, StoredSession>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Returns the session to resume, or undefined. */
  get(origin: string): Buffer | undefined {
    const stored = this.#byOrigin.get(origin);
    if (stored === undefined) return undefined;
    const ageMs = this.#clock.monotonicMs() - stored.verifiedAtMs;
    if (ageMs < TLS_SESSION_AGE_MS_MAX) return stored.session;
    this.#byOrigin.delete(origin);
    return undefined;
  }

  /**
   * Stores the sessions that a receiver issues after a full handshake, in which Node.js has verified
   * its certificate.
   */
  watch(origin: string, socket: TLSSocket): void {
    socket.on('session', (session) => {
      if (socket.isSessionReused()) return;
      this.#store(origin, { session, verifiedAtMs: this.#clock.monotonicMs() });
    });
  }

  /** Must be called after a failed handshake. */
  forget(origin: string): void {
    this.#byOrigin.delete(origin);
  }

  #store(origin: string, stored: StoredSession): void {
    this.#byOrigin.delete(origin);
    this.#byOrigin.set(origin, stored);
    const [oldest] = this.#byOrigin.keys();
    if (this.#byOrigin.size > TLS_SESSIONS_MAX && oldest !== undefined) this.forget(oldest);
  }
}
