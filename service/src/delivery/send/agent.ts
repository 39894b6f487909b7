import type { AddressClass } from '../../webhooks/address/forbidden-address.ts';

/**
 * Sends webhook requests. Each attempt has exactly one outcome, and nothing a receiver does makes
 * it throw: a blocked address, a timeout and a 500 response are all outcomes.
 */
export interface WebhookAgent {
  post(request: PostRequest): Promise<PostOutcome>;
  /** Closes all connections. Requests in flight resolve as failed. */
  close(): Promise<void>;
}

export interface PostRequest {
  url: string;
  /**
   * Headers in the order in which they are sent. The agent adds `Host`, `Content-Length`,
   * `Connection` and `Accept-Encoding`.
   */
  headers: readonly (readonly [string, string])[];
  /** The signed bytes, which are sent unchanged. */
  body: Uint8Array;
  /**
   * Called once, on an open connection, right before the first byte. If it returns false, the
   * attempt ends as `not_sent`, for example because the lease has expired.
   */
  beforeFirstByte?(): boolean;
}

export type PostOutcome = PostResponse | PostFailure;

/** A response with a status line. Only a 2xx status counts as delivered. */
export interface PostResponse {
  kind: 'responded';
  status: number;
  /** Up to 32 headers and 8 KiB, in the order received, without `set-cookie`. */
  headers: [string, string][];
  /** Up to 16 KiB, as text that the store can hold: NUL is replaced. */
  body: string;
  /** True if the response was longer than `body` or was cut off. */
  truncated: boolean;
  remoteAddress: string;
  timings: PostTimings;
}

export interface PostFailure {
  kind: 'failed';
  code: PostFailureCode;
  /** A sentence for the delivery log, written for customers. */
  detail: string;
  /** The address of the last connection attempt, or null if no connection was attempted. */
  remoteAddress: string | null;
  timings: PostTimings;
  /** True if a byte of the request may have been sent, so the receiver may have the data. */
  maybeSent: boolean;
  /** True if a reused connection was lost before any byte of a response. */
  wasIdle?: boolean;
  /** Class of the blocked address. */
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

/** Milliseconds per step. A step is null if it was not needed or not reached. */
export interface PostTimings {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  /** Time from the first byte of the request to the status of the response. */
  firstByteMs: number | null;
  totalMs: number;
}
