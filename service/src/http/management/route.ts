import type { Static, TObject, TSchema } from 'typebox';
import type { Actor } from '../../accounts/audit-log.ts';
import type { Act } from '../../accounts/permissions.ts';
import type { Visitor } from '../../accounts/sessions/sessions.ts';
import type { Deprecated } from '../../endpoints/endpoint.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Problem } from '../problems.ts';
import type { Caller } from './caller.ts';
import type { ManagementDeps } from './deps.ts';

/** One call of the management interface; the table of them is what is served and documented. */
export interface Route {
  /** The operation id, `thing-verb`: `keys-create`. */
  name: string;
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Under `/account/v1` or `/operator/v1`, path parameters in braces. */
  path: string;
  summary: string;
  describe?: string;
  /** An act of the table of rights; or who is signed in, about themselves; or anyone. */
  access: Act | 'signed-in' | 'anyone';
  /**
   * The act of the service by which an operator makes a call about an account without naming one;
   * left out, they must.
   */
  withoutCustomer?: Act;
  /** Whether it asks for a password given in the last ten minutes, where the act does not. */
  needsRecentPassword?: true;
  query?: TObject;
  body?: TObject;
  /** Of the answer when all went well. */
  status: 200 | 201 | 204;
  /** Null when the answer has no body. */
  response: TSchema | null;
  /** Of a call that is to go; it answers as before, and says so. */
  deprecated?: Deprecated;
  /** A media type that the answer can have in place of JSON. */
  alternateMediaType?: string;
  handle(call: Call): Promise<CallResult>;
}

/** The calls about one thing; a file each. */
export interface RouteGroup {
  name: string;
  describe: string;
  routes: readonly Route[];
}

/** A request that is known to be allowed and in form. */
export interface Call<Q = unknown, B = unknown> {
  deps: ManagementDeps;
  /** Null where anyone may call. */
  caller: Caller | null;
  /** Whose things it is about; empty on calls about the service or oneself. */
  customerId: string;
  /** Who is written into the audit. */
  actor: Actor;
  visitor: Visitor;
  now: Instant;
  /** A path parameter. */
  param(name: string): string;
  query: Q;
  body: B;
}

export type CallResult =
  | { kind: 'done'; body?: unknown; cookie?: CookieChange }
  /** A table or the like in place of JSON. */
  | {
      kind: 'text';
      mediaType: string;
      text: string | Buffer;
      fileName?: string;
      /** Names and values in turn. */
      headers?: readonly string[];
    }
  | { kind: 'refused'; problem: Problem; cookie?: CookieChange };

/** What becomes of the session cookie. */
export type CookieChange = { set: string; expiresAt: Instant } | 'clear';

/** Whether a call is about a customer's things, which an operator must name with `customerId`. */
export function isCustomerRoute({ path, access }: Route): boolean {
  return path.startsWith('/account/') && access !== 'anyone' && access !== 'signed-in';
}

/** Keeps the types of query and body together with what handles them. */
export function defineRoute<Q extends TObject, B extends TObject>(
  route: Omit<Route, 'handle' | 'query' | 'body'> & {
    query?: Q;
    body?: B;
    handle(call: Call<Static<Q>, Static<B>>): Promise<CallResult>;
  },
): Route {
  return route;
}

export function done(body?: unknown): CallResult {
  return body === undefined ? { kind: 'done' } : { kind: 'done', body };
}
