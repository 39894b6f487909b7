import type { Static, TObject, TSchema } from 'typebox';
import type { Actor } from '../../accounts/audit-log.ts';
import type { Permission } from '../../accounts/permissions.ts';
import type { Client } from '../../accounts/sessions/sessions.ts';
import type { Deprecation } from '../../endpoints/endpoint.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Problem } from '../problems.ts';
import type { Caller } from './caller.ts';
import type { ManagementDeps } from './deps.ts';

/** One call of the management API. The same route table is used to serve and to document it. */
export interface Route {
  /** The operation ID in the form `object-verb`, such as `keys-create`. */
  name: string;
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Path under `/account/v1` or `/operator/v1`, with path parameters in braces. */
  path: string;
  summary: string;
  describe?: string;
  /** The required permission. `signed-in` is for calls that people make about themselves. */
  access: Permission | 'signed-in' | 'anyone';
  /**
   * The permission that an operator needs to make an account call without specifying a customer. If
   * omitted, operators must specify a customer.
   */
  withoutCustomer?: Permission;
  /**
   * Requires a password confirmation within the last ten minutes, even if the permission does not.
   */
  needsRecentPassword?: true;
  /** Like `needsRecentPassword`, for calls that need it only with some bodies. */
  needsRecentPasswordFor?(body: unknown): boolean;
  /**
   * Set for a POST that changes nothing. It accepts no idempotency key, because a stored response
   * could be out of date.
   */
  isRead?: true;
  /** Set for a read that waits for work in the queue, so it must not occupy a place itself. */
  queuesItself?: true;
  query?: TObject;
  body?: TObject;
  /** Status code of a successful response. */
  status: 200 | 201 | 204;
  /** Null if the response has no body. */
  response: TSchema | null;
  /** Set if the call is deprecated. It still works and announces its deprecation in headers. */
  deprecated?: Deprecation;
  handle(call: Call): Promise<CallResult>;
}

/** The calls for one kind of object, all defined in the same file. */
export interface RouteGroup {
  name: string;
  describe: string;
  routes: readonly Route[];
}

/** An authorized and validated request. */
export interface Call<Q = unknown, B = unknown> {
  deps: ManagementDeps;
  /** Null if the call is open to anyone. */
  caller: Caller | null;
  /** The customer that the call is about; empty for calls about the service or the caller. */
  customerId: string;
  /** The caller as recorded in the audit log. */
  actor: Actor;
  visitor: Client;
  now: Instant;
  /** Calls the listener once the client has gone or has its response. */
  whenClosed: (listener: () => void) => void;
  /** Returns a path parameter. */
  param(name: string): string;
  query: Q;
  body: B;
}

export type CallResult =
  /** `isReplayed` marks the response of an earlier call with the same idempotency key. */
  | { kind: 'done'; body?: unknown; cookie?: CookieChange; isReplayed?: true }
  /** A body other than JSON, such as CSV. */
  | {
      kind: 'text';
      mediaType: string;
      text: string | Buffer;
      fileName?: string;
      /** Alternating header names and values. */
      headers?: readonly string[];
    }
  | { kind: 'rejected'; problem: Problem; cookie?: CookieChange };

/** Sets or clears the session cookie. */
export type CookieChange = { set: string; expiresAt: Instant } | 'clear';

/**
 * Returns true if the call is about a customer, which an operator must specify with `customerId`.
 */
export function isCustomerRoute({ path, access }: Route): boolean {
  return path.startsWith('/account/') && access !== 'anyone' && access !== 'signed-in';
}

/** Defines a route and type-checks its handler against the types of its query and body. */
export function defineRoute<Q extends TObject, B extends TObject>(
  route: Omit<Route, 'handle' | 'query' | 'body' | 'needsRecentPasswordFor'> & {
    query?: Q;
    body?: B;
    needsRecentPasswordFor?(body: Static<B>): boolean;
    handle(call: Call<Static<Q>, Static<B>>): Promise<CallResult>;
  },
): Route {
  return route;
}

export function done(body?: unknown): CallResult {
  return body === undefined ? { kind: 'done' } : { kind: 'done', body };
}
