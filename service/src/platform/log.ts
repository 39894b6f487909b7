import { type Logger, pino } from 'pino';
import type { Clock } from './clock.ts';
import { formatInstant } from './instant.ts';
import { createRedactor } from './redact.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Names of log events. They are stable because operators use them for searches and alerts. */
export type LogEvent =
  | 'api_key.use_write_failed'
  | 'audit.recorded'
  | 'backup.created'
  | 'clock.behind_store'
  | 'clock.jumped'
  | 'clock.offset'
  | 'command.failed'
  | 'command.forwarded'
  | 'datasets.export_failed'
  | 'datasets.export_skipped'
  | 'datasets.export_stopped'
  | 'datasets.exported'
  | 'delivery.attempted'
  | 'delivery.loop_failed'
  | 'delivery.recording_failed'
  | 'endpoint.alert'
  | 'filings.failed'
  | 'filings.follow_failed'
  | 'filings.gap'
  | 'filings.index_read'
  | 'http.request_failed'
  | 'mcp.message_rejected'
  | 'http.untrusted_proxy'
  | 'ingest.backfilled'
  | 'ingest.file_imported'
  | 'ingest.file_rejected'
  | 'ingest.job_failed'
  | 'ingest.job_finished'
  | 'ingest.loop_failed'
  | 'ingest.response_rejected'
  | 'ingest.standby'
  | 'ingest.started'
  | 'key_cache.refresh_failed'
  | 'lease.failed'
  | 'lease.lost'
  | 'lease.renewal_failed'
  | 'market.schedule_differs'
  | 'loops.report_failed'
  | 'metrics.failed'
  | 'metrics.listening'
  | 'process.ended'
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
  | 'security.cross_origin'
  | 'security.forbidden'
  | 'security.foreign_id'
  | 'security.key_misused'
  | 'security.webhook_address'
  | 'security.wrong_key'
  | 'sign_in.rejected'
  | 'source.rate_limited'
  | 'source.unavailable'
  | 'store.maintenance'
  | 'store.maintenance_failed'
  | 'store.memory_small'
  | 'store.migrating'
  | 'store.new_epoch'
  | 'store.new_epoch_failed'
  | 'store.commits_lost'
  | 'store.comparison_failed'
  | 'store.failover_compared'
  | 'store.notifications_unavailable'
  | 'store.opening'
  | 'store.pooler_found'
  | 'store.recovered'
  | 'store.unavailable'
  | 'stream.read_failed'
  | 'usage.dropped'
  | 'usage.write_failed'
  | 'watched.available'
  | 'watched.company'
  | 'watched.document'
  | 'watched.failed'
  | 'watched.finished'
  | 'watched.started'
  | 'watched.unavailable'
  | 'watched.unknown_symbol'
  | 'cell.beat_failed'
  | 'cell.behind'
  | 'cell.check_failed'
  | 'cell.following';

/** Fields of a log message. Pass an error as `err`. */
export interface LogFields {
  readonly event: LogEvent;
  readonly [name: string]: unknown;
}

/** The service's log. API keys and secrets are redacted before anything is written. */
export interface Log {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  /** Returns a log that adds these fields to every message. */
  child(fields: Readonly<Record<string, unknown>>): Log;
}

export interface LogOptions {
  level: LogLevel | 'silent';
  clock: Clock;
  /** Called with one complete line, including its line feed. */
  write(line: string): void;
  /** True to write readable lines for a terminal; false to write JSON. */
  isTerminal: boolean;
  /** Values to redact wherever they occur, in addition to known key formats. */
  secrets?: readonly string[];
}

/** Creates a log that writes one line per message: `{"level", "time", …fields, "msg"}`. */
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

const COLORS: Readonly<Record<string, number>> = { debug: 90, info: 36, warn: 33, error: 31 };

/**
 * Formats a JSON log line for a terminal: time, level, message and fields, followed by the error's
 * stack on further lines. Returns any other text unchanged.
 */
function formatLogLine(line: string): string {
  const entry = parseObject(line);
  if (entry === null) return line;
  const { level, time, msg, err, ...fields } = entry;
  const label = String(level);
  const color = COLORS[label] ?? 0;
  const parts = [
    String(time).slice(11, 19),
    `\u001B[${color}m${label.padEnd(5)}\u001B[0m`,
    typeof msg === 'string' ? printable(msg) : show(msg),
    ...Object.entries(fields).map(([name, value]) => `\u001B[90m${name}=\u001B[0m${show(value)}`),
  ];
  return `${parts.join(' ')}${showError(err)}\n`;
}

function parseObject(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

function show(value: unknown): string {
  const isPlain = typeof value === 'string' && /^[^\s"=]+$/.test(value);
  return printable(isPlain ? value : (JSON.stringify(value) ?? ''));
}

function showError(err: unknown): string {
  if (typeof err !== 'object' || err === null) return err === undefined ? '' : ` err=${show(err)}`;
  const stack = 'stack' in err ? err.stack : JSON.stringify(err);
  const lines = String(stack).split('\n');
  return lines.map((line) => `\n    ${printable(line)}`).join('');
}

/** Escapes control characters, so that logged input cannot control the terminal. */
function printable(text: string): string {
  return text.replace(/[\u0000-\u001F\u007F-\u009F]/g, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
}
