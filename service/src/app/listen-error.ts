import { type Settings, SettingsError } from '../config/settings.ts';

/**
 * Why nobody can listen where the settings say, with what to set instead; the error as it is when no
 * setting is to blame for it.
 */
export function notListening(
  error: unknown,
  { host, port, metricsPort }: Pick<Settings, 'host' | 'port' | 'metricsPort'>,
): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (typeof code !== 'string') return error;
  if (code === 'EADDRINUSE' && port === metricsPort) {
    const problem = `port ${port} of ${host} is in use, and PORT and METRICS_PORT are the same`;
    return new SettingsError([{ problem, fix: 'choose another for one of them (0: any)' }]);
  }
  if (code === 'EADDRINUSE' || code === 'EACCES') {
    const cause = code === 'EACCES' ? 'is not for this user to take' : 'is in use';
    const mend = 'choose another with --port or PORT (0: any)';
    return new SettingsError([{ problem: `port ${port} of ${host} ${cause}`, fix: mend }]);
  }
  if (!NO_SUCH_HOST.has(code)) return error;
  const mend = 'set HOST to an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all';
  return new SettingsError([
    { problem: `HOST ${host} cannot be listened on (${code})`, fix: mend },
  ]);
}

/** What the system says of an address or a name that is not this machine's. */
const NO_SUCH_HOST: ReadonlySet<string> = new Set(
  'EADDRNOTAVAIL EAFNOSUPPORT EINVAL ENOTFOUND EAI_AGAIN EAI_FAIL EAI_NONAME'.split(' '),
);
