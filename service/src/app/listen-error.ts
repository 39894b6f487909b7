import { SettingsError } from '../config/settings.ts';

/** A host and port to listen on, and the names of the settings that define them. */
export interface ListenAddress {
  host: string;
  port: number | null;
  settings: { host: string; port: string };
  /** Port of the other server in this process; null if there is none. */
  otherPort?: number | null;
}

/**
 * Explains why a listener could not start and which setting to change. Returns the error unchanged
 * if no setting can fix it.
 */
export function explainListenError(error: unknown, address: ListenAddress): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (typeof code !== 'string') return error;
  const { host, port, settings, otherPort = null } = address;
  if (code === 'EADDRINUSE' && port === otherPort) {
    return settingsError(
      `port ${port} of ${host} is in use, and PORT and METRICS_PORT are the same`,
      'choose another port for one of them (0: any free port)',
    );
  }
  if (code === 'EADDRINUSE' || code === 'EACCES') {
    const cause = code === 'EACCES' ? 'requires more privileges' : 'is in use';
    return settingsError(
      `port ${port} of ${host} ${cause}`,
      `choose another port with ${settings.port} (0: any free port)`,
    );
  }
  if (!INVALID_HOST_CODES.has(code)) return error;
  return settingsError(
    `${settings.host} ${host} is not an address of this machine (${code})`,
    `set ${settings.host} to an address of this machine, such as 127.0.0.1, or to 0.0.0.0 for all`,
  );
}

function settingsError(problem: string, fix: string): SettingsError {
  return new SettingsError([{ problem, fix }]);
}

const INVALID_HOST_CODES: ReadonlySet<string> = new Set([
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
  'EINVAL',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NONAME',
]);
