import type { SettingProblem } from '../platform/settings.ts';
import { LOOPBACK } from './loopback.ts';

/** Modes that verify the server only without `uselibpqcompat=true`. */
const UNVERIFIED_IN_LIBPQ: ReadonlySet<string> = new Set(['prefer', 'require']);

/**
 * Returns a problem if the connection to a database on another machine can be read or intercepted,
 * otherwise null. `sslmode=disable` states that the network is trusted, so it is not a problem.
 */
export function checkDatabaseTls(name: string, url: string | null): SettingProblem | null {
  if (url === null) return null;
  const { hostname, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  // A path is a Unix domain socket.
  if (host === '' || host.startsWith('/') || LOOPBACK.test(host)) return null;
  const mode = searchParams.get('sslmode');
  const hasTls = ['1', 'true'].includes(searchParams.get('ssl') ?? '');
  const isLibpq = searchParams.get('uselibpqcompat') === 'true';
  const fix =
    'add sslmode=verify-full to its query, with sslrootcert=FILE for an authority of your own, or ' +
    'sslmode=disable if only trusted machines share the network';
  if (mode === null && !hasTls) {
    return { problem: `${name} connects to ${host} without TLS`, fix };
  }
  if (mode !== null && (mode === 'no-verify' || (isLibpq && UNVERIFIED_IN_LIBPQ.has(mode)))) {
    return { problem: `${name} does not verify the certificate of ${host} (sslmode ${mode})`, fix };
  }
  return null;
}
