import { SqlError, sqlErrorFacts, StoreUnavailableError } from '../../errors.ts';

/** Awaits a driver call and converts its errors. */
export async function convertErrors<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const facts = sqlErrorFacts(error);
    if (facts !== undefined && !isOutage(facts.sqlState)) {
      const fix = LOST_STATEMENTS.has(facts.sqlState) ? `: ${TRANSACTION_POOLER}` : '';
      throw new SqlError({ ...facts, message: facts.message + fix });
    }
    if (error instanceof RangeError) throw error;
    const reason = error instanceof Error ? error.message || String(error) : String(error);
    throw new StoreUnavailableError(`The database is unavailable: ${reason}`, { cause: error });
  }
}

/**
 * Awaits a connection, and reports a rejected login as an unavailable store. While a password or
 * database name is being changed, the same call may succeed later. The message says what to do.
 */
export async function convertConnectErrors<T>(connecting: Promise<T>): Promise<T> {
  try {
    return await connecting;
  } catch (error) {
    const reason = error instanceof Error ? error.message || String(error) : String(error);
    const state = sqlErrorFacts(error)?.sqlState;
    const fix = state === undefined ? fixOfNetwork(error) : fixOfState(state);
    throw new StoreUnavailableError(`The database is unavailable: ${reason}: ${fix}`, {
      cause: error,
    });
  }
}

/**
 * Returns true if the SQLSTATE means that the server is unavailable: a connection failure (class
 * 08), shutdown or start-up (57P01 to 57P05), too many connections (53300), or a server that has
 * become read-only (25006), as a standby is. The next call then uses another connection.
 */
function isOutage(state: string): boolean {
  return (
    state.startsWith('08') || state.startsWith('57P') || state === '53300' || state === '25006'
  );
}

/** A prepared statement that does not exist, and one that exists already. */
const LOST_STATEMENTS: ReadonlySet<string> = new Set(['26000', '42P05']);
const TRANSACTION_POOLER =
  'a connection pooler seems to share connections between transactions; set DATABASE_POOLER to ' +
  'transaction';

/** Fixes to suggest when the server, or a pooler in front of it, rejects a connection. */
function fixOfState(state: string): string {
  const fix = STATE_FIXES[state];
  if (fix !== undefined) return fix;
  if (state.startsWith('08')) return POOLER_FIX;
  if (state.startsWith('28')) return LOGIN_FIX;
  return 'the log of the database server has the cause';
}

const LOGIN_FIX = 'check the user and password in DATABASE_URL and the access rules of the server';
const POOLER_FIX =
  'this is the answer of a connection pooler; its log has the cause, and docs/scaling.md its settings';

const STATE_FIXES: Readonly<Record<string, string>> = {
  // invalid_catalog_name
  '3D000': 'create it with createdb, or set DATABASE_URL to another one',
  // insufficient_privilege
  '42501': 'run `grant connect on database NAME to USER` as its owner',
  // too_many_connections
  '53300':
    'close other clients, or raise max_connections of the server or the connection limit of the ' +
    'role or database; each process of this service opens up to 11 connections',
  // object_not_in_prerequisite_state
  '55000': 'run `alter database NAME allow_connections true`, or set DATABASE_URL to another one',
  // admin_shutdown, crash_shutdown, cannot_connect_now
  '57P01': 'the server is shutting down; start it again',
  '57P02': 'the server is restarting after a crash; its log has the cause',
  '57P03': 'the server is starting, stopping or recovering; wait until it accepts connections',
};

/** Fixes to suggest when there is no answer from a database server. */
function fixOfNetwork(error: unknown): string {
  const text = error instanceof Error ? error.message : '';
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (text.startsWith('timeout exceeded when trying to connect')) {
    return 'all connections of this process are in use, by slow statements or too many requests';
  }
  if (/password must be a (?:non-empty )?string/.test(text)) {
    return 'the server asks for a password; add it to DATABASE_URL';
  }
  if (text.includes('does not support SSL')) {
    return 'remove sslmode from DATABASE_URL, or enable TLS on the server';
  }
  if (typeof code === 'string' && /CERT|SIGNATURE|SELF_SIGNED/.test(code)) {
    return 'name the certificate authority of the server by sslrootcert=FILE in DATABASE_URL';
  }
  return 'check that a server is running at the address in DATABASE_URL';
}
