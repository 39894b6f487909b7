import { type Logger, pino } from 'pino';
import type { Clock } from './clock.ts';
import { formatInstant } from './instant.ts';
import { formatLogLine } from './log-line.ts';
import { createRedactor, redact } from './redact.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Facts of a message, by name. An error goes under `err`. */
export type LogFields = Readonly<Record<string, unknown>>;

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
