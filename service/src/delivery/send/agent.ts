import type { AddressClass } from '../../webhooks/address/forbidden-address.ts';

/**
 * The only door through which a delivery leaves. It never throws for what a receiver does: a
 * refused address, a time-out or an answer of 500 is an outcome, and an attempt has exactly one.
 */
export interface WebhookAgent {
  post(request: PostRequest): Promise<PostOutcome>;
  /** Ends what is open at once; posts that are under way come back as failed. */
  close(): Promise<void>;
}

export interface PostRequest {
  url: string;
  /**
   * In the order in which they are sent. `Host`, `Content-Length`, `Connection` and
   * `Accept-Encoding` are ours.
   */
  headers: readonly (readonly [string, string])[];
  /** The signed bytes: they are sent as they are. */
  body: Uint8Array;
  /**
   * Asked once, right before the first byte may leave, when the connection stands. False ends the
   * attempt as `not_sent`: a lease that ran out meanwhile must not reach the receiver.
   */
  beforeFirstByte?(): boolean;
}

export type PostOutcome = PostResponse | PostFailure;

/** The receiver answered with a status line; 2xx alone means delivered. */
export interface PostResponse {
  kind: 'answered';
  status: number;
  /** At most 32 and 8 KiB of them, in the order of arrival, without `set-cookie`. */
  headers: [string, string][];
  /** At most 16 KiB as text that a store can hold (no NUL). */
  body: string;
  /** Whether the receiver said more than `body` holds, or was cut off while it spoke. */
  truncated: boolean;
  remoteAddress: string;
  timings: PostTimings;
}

export interface PostFailure {
  kind: 'failed';
  code: PostFailureCode;
  /** One sentence for the log that the owner reads. */
  detail: string;
  /** The last address that was tried; null when none was. */
  remoteAddress: string | null;
  timings: PostTimings;
  /** Whether one byte of the request may have left: then the receiver may hold the data. */
  maybeSent: boolean;
  /** What kind of address was refused, with `blocked_address`. */
  addressClass?: AddressClass;
}

export type PostFailureCode =
  | 'dns'
  | 'connect'
  | 'reset'
  | 'tls'
  | 'timeout'
  | 'blocked_address'
  | 'not_sent';

/** Milliseconds of each step, null where the attempt did not end it or reused what was known. */
export interface PostTimings {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  /** From the first byte of the request to the status of the answer. */
  firstByteMs: number | null;
  totalMs: number;
}
