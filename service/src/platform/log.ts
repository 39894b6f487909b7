import { type Logger, pino } from 'pino';
import type { Clock } from './clock.ts';
import { formatInstant } from './instant.ts';
import { formatLogLine } from './log-line.ts';
import { createRedactor, redact } from './redact.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** The stable names of log events, by which operators search and alert. */
export type LogEvent =
  | 'api_key.use_write_failed'
  | 'backup.created'
  | 'clock.jumped'
  | 'clock.offset'
  | 'command.failed'
  | 'command.forwarded'
  | 'delivery.attempted'
  | 'delivery.loop_failed'
  | 'delivery.recording_failed'
  | 'endpoint.alert'
  | 'http.request_failed'
  | 'http.untrusted_proxy'
  | 'ingest.backfilled'
  | 'ingest.job_failed'
  | 'ingest.job_finished'
  | 'ingest.response_rejected'
  | 'ingest.standby'
  | 'ingest.started'
  | 'key_cache.refresh_failed'
  | 'lease.lost'
  | 'lease.renewal_failed'
  | 'metrics.failed'
  | 'metrics.listening'
  | 'migration.applied'
  | 'process.error'
  | 'process.listening'
  | 'process.shutdown'
  | 'process.shutdown_failed'
  | 'process.shutdown_timeout'
  | 'quota.counted_ahead'
  | 'quota.refund_failed'
  | 'quota.write_failed'
  | 'replica.skipped'
  | 'replica.unavailable'
  | 'replica.used'
  | 'request_log.dropped'
  | 'request_log.write_failed'
  | 'response_cache.invalidation_failed'
  | 'sandbox.loaded'
  | 'sandbox.loading'
  | 'setting.missing'
  | 'setting.unsafe'
  | 'sign_in.rejected'
  | 'source.failed'
  | 'source.rate_limited'
  | 'source.unavailable'
  | 'store.maintenance'
  | 'store.maintenance_failed'
  | 'store.notifications_unavailable'
  | 'store.recovered'
  | 'store.unavailable'
  | 'usage.dropped'
  | 'usage.write_failed';

/** Fields of a log message. An error goes under `err`. */
export interface LogFields {
  readonly event?: LogEvent;
  readonly [name: string]: unknown;
}

/** Where the service says what it does. Keys and secrets are taken out before anything is written. */
export interface Log {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  /** A log that adds these fields to every message. */
  child(fields: LogFields): Log;
}

export interface LogOptions {
  level: LogLevel | 'silent';
  clock: Clock;
  /** Takes whole lines, line feed included. */
  write(line: string): void;
  /** On a terminal a line is for people; elsewhere it is JSON. */
  isTerminal: boolean;
  /** Values to take out wherever they stand, besides what is recognised by its form. */
  secrets?: readonly string[];
}

/** A log of lines, one message each: `{"level", "time", …fields, "msg"}`. */
export function createLog(options: LogOptions): Log {
  const { clock, write, isTerminal } = options;
  const redactLine = createRedactor(options.secrets ?? []);
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: () => `,"time":"${formatInstant(clock.now())}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    {
      write: (line: string) => {
        const clean = redactLine(line);
        write(isTerminal ? formatLogLine(clean) : clean);
      },
    },
  );
  return fromPino(logger);
}

function fromPino(logger: Logger): Log {
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    child: (fields) => fromPino(logger.child(fields)),
  };
}

/** Says nothing. */
export function silentLog(): Log {
  const silent = () => undefined;
  const log: Log = { debug: silent, info: silent, warn: silent, error: silent, child: () => log };
  return log;
}

export interface LogEntry {
  level: LogLevel;
  message: string;
  fields: LogFields;
}

/** Keeps what is said, for tests: messages redacted, fields as they were given. */
export function memoryLog(): Log & { readonly entries: readonly LogEntry[] } {
  const entries: LogEntry[] = [];
  return { ...keepIn(entries, {}), entries };
}

function keepIn(entries: LogEntry[], common: LogFields): Log {
  function keep(level: LogLevel): Log['info'] {
    return (fields, message) =>
      void entries.push({ level, message: redact(message), fields: { ...common, ...fields } });
  }
  return {
    debug: keep('debug'),
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
    child: (fields) => keepIn(entries, { ...common, ...fields }),
  };
}
