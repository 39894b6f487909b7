import type { AddressClass } from '../../webhooks/address/forbidden-address.ts';

/**
 * Sends webhook requests. It never throws for what a receiver does: a blocked address, a timeout or a
 * 500 response is an outcome, and an attempt has exactly one.
 */
export interface WebhookAgent {
  post(request: PostRequest): Promise<PostOutcome>;
  /** Closes all connections. Requests in flight resolve as failed. */
  close(): Promise<void>;
}

export interface PostRequest {
  url: string;
  /**
   * In the order in which they are sent. The agent adds `Host`, `Content-Length`, `Connection` and
   * `Accept-Encoding`.
   */
  headers: readonly (readonly [string, string])[];
  /** The signed bytes, sent unchanged. */
  body: Uint8Array;
  /**
   * Called once, on an open connection, right before the first byte. False ends the attempt as
   * `not_sent`, for example because the lease has expired.
   */
  beforeFirstByte?(): boolean;
}

export type PostOutcome = PostResponse | PostFailure;

/** The receiver returned a status line. Only 2xx counts as delivered. */
export interface PostResponse {
  kind: 'responded';
  status: number;
  /** Up to 32 headers and 8 KiB, in the order of arrival, without `set-cookie`. */
  headers: [string, string][];
  /** Up to 16 KiB, as text that a store can hold: NUL is replaced. */
  body: string;
  /** The response had more than `body`, or was cut off. */
  truncated: boolean;
  remoteAddress: string;
  timings: PostTimings;
}

export interface PostFailure {
  kind: 'failed';
  code: PostFailureCode;
  /** A sentence for the delivery log, which customers read. */
  detail: string;
  /** The last address tried; null if none was. */
  remoteAddress: string | null;
  timings: PostTimings;
  /** A byte of the request may have been sent, so the receiver may have the data. */
  maybeSent: boolean;
  /** The class of a blocked address. */
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

/** Milliseconds per step; null if the attempt did not complete the step or did not need it. */
export interface PostTimings {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  /** From the first byte of the request to the status of the response. */
  firstByteMs: number | null;
  totalMs: number;
}
