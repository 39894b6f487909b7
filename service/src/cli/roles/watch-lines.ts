import type { Settings } from '../../config/settings.ts';
import type { OnWatchProgress, WatchProgress } from '../../ingest/watched/watch-progress.ts';
import type { Log, LogEvent } from '../../platform/log.ts';
import type { CliContext } from '../command.ts';
import { createKeyCommand } from './welcome.ts';

interface WatchTarget {
  settings: Settings;
  /** URL of the service; null if this process serves no requests. */
  url: string | null;
}

/** Returns a function that shows progress as lines on a terminal, and otherwise logs it. */
export function showWatchProgress(
  context: Pick<CliContext, 'isTerminal' | 'stderr'>,
  { log, ...target }: WatchTarget & { log: Log },
): OnWatchProgress {
  return (progress) => {
    const text = renderWatchProgress(progress, target);
    if (context.isTerminal) {
      context.stderr(`${text}\n`);
      return;
    }
    const { kind, ...fields } = progress;
    const event = EVENTS[kind];
    const isProblem = kind === 'unavailable' || kind === 'unknown-symbol';
    log[isProblem ? 'warn' : 'info']({ ...fields, event }, text.trim());
  };
}

const EVENTS = {
  started: 'watched.started',
  document: 'watched.document',
  company: 'watched.company',
  'unknown-symbol': 'watched.unknown_symbol',
  unavailable: 'watched.unavailable',
  available: 'watched.available',
  finished: 'watched.finished',
} as const satisfies Record<WatchProgress['kind'], LogEvent>;

/** Renders one step as a line; the last one with commands to paste. */
function renderWatchProgress(progress: WatchProgress, target: WatchTarget): string {
  switch (progress.kind) {
    case 'started':
      return `Fetching first: ${progress.symbols.join(', ')}`;
    case 'document': {
      const { symbol, title, rows } = progress;
      const name = symbol === null ? title : `${symbol}: ${title}`;
      return `  ${name}${rows === null ? '' : `, ${rows.toLocaleString('en-US')} rows`}`;
    }
    case 'company': {
      const { symbol, reports, next } = progress;
      const upcoming = next === null ? 'next unknown' : `next ${next.date} (${next.dateStatus})`;
      return `${symbol}: ${reports} ${reports === 1 ? 'report' : 'reports'}, ${upcoming}`;
    }
    case 'unknown-symbol':
      return renderUnknownSymbol(progress);
    case 'unavailable':
      return renderUnavailable(progress);
    case 'available':
      return `${progress.host} responds.`;
    case 'finished':
      return renderFinished(progress.symbols, target);
  }
}

function renderUnknownSymbol({
  symbol,
  suggestions,
}: WatchProgress & { kind: 'unknown-symbol' }): string {
  const hint = suggestions.length === 0 ? '' : ` Did you mean ${suggestions.join(', ')}?`;
  return `${symbol}: no company in the list has this symbol.${hint}`;
}

function renderUnavailable({
  host,
  reason,
  isRefusal,
  advice,
}: WatchProgress & { kind: 'unavailable' }): string {
  const problem = isRefusal
    ? `${host} refuses requests (${reason})`
    : `${host} cannot be reached (${reason})`;
  const fix = isRefusal ? advice : "check this machine's connection, DNS and firewall";
  return `${problem}${fix === null ? '' : `: ${fix}`}. The service runs and keeps trying.`;
}

function renderFinished(symbols: readonly string[], { settings, url }: WatchTarget): string {
  const [first] = symbols;
  if (first === undefined) return 'None of the watched companies is known.';
  const done = 'The watched companies are ready. The rest of the market follows.';
  if (url === null) return done;
  return [
    `${done} Try:`,
    '',
    `  KEY=$(${createKeyCommand(settings)})`,
    `  curl "${url}/v1/earnings?symbol=${encodeURIComponent(first)}&apikey=$KEY"`,
    '',
  ].join('\n');
}
