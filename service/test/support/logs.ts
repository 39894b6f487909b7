import type { Log, LogLevel } from '../../src/platform/log.ts';
import { redact } from '../../src/platform/redact.ts';

/** Logs nothing. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLog,
};

export interface LogEntry {
  level: LogLevel;
  message: string;
  fields: Readonly<Record<string, unknown>>;
}

/** Creates a log that collects its entries, with redacted messages and unchanged fields. */
export function memoryLog(): Log & { readonly entries: readonly LogEntry[] } {
  const entries: LogEntry[] = [];
  return { ...logInto(entries, {}), entries };
}

function logInto(entries: LogEntry[], parentFields: LogEntry['fields']): Log {
  function logAt(level: LogLevel): Log['info'] {
    return (fields, message) =>
      void entries.push({
        level,
        message: redact(message),
        fields: { ...parentFields, ...fields },
      });
  }
  return {
    debug: logAt('debug'),
    info: logAt('info'),
    warn: logAt('warn'),
    error: logAt('error'),
    child: (fields) => logInto(entries, { ...parentFields, ...fields }),
  };
}
