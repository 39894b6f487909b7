import type { MarketOverride, System, UsageRow } from '../api/calls.gen.ts';
import type { ServiceStatus } from '../api/use-service-status.ts';
import { formatBytes, formatCount, formatShare } from '../format/number.ts';
import { formatDay, formatDistance } from '../format/time.ts';
import { describeOverride } from '../market/day-labels.ts';
import type { StatusLine } from './status-line.ts';

const FREE_LOW = 0.1;
const FREE_LAST = 0.03;
/**
 * The largest acceptable difference between the clocks. A larger difference breaks quotas and
 * signatures.
 */
const CLOCK_OFF_MS = 2 * 60_000;
const FAILED_MANY = 0.05;

export function freshnessLine({ status, datasets }: ServiceStatus): StatusLine {
  const area = { name: 'Data', to: '/operator/sources' } as const;
  const failing = datasetsIn(datasets, 'failing');
  const late = datasetsIn(datasets, 'late');
  if (failing !== '') return { ...area, tone: 'bad', text: `Unavailable: ${failing}.` };
  if (late !== '') return { ...area, tone: 'warn', text: `Late: ${late}.` };
  if (status === 'starting') {
    return { ...area, tone: 'warn', text: 'The service is starting and loading data.' };
  }
  const fresh = datasets.filter(({ state }) => state === 'fresh').length;
  if (fresh === 0) {
    return {
      ...area,
      tone: 'plain',
      text: 'No fresh datasets: no source has delivered data recently.',
    };
  }
  const empty = datasetsIn(datasets, 'empty');
  const without = empty === '' ? '' : ` No data yet: ${empty}.`;
  return {
    ...area,
    tone: 'good',
    text: `${fresh} ${fresh === 1 ? 'dataset' : 'datasets'} up to date.${without}`,
  };
}

export function quarantineLine(pending: number): StatusLine {
  const area = { name: 'Quarantine', to: '/operator/quarantine' } as const;
  if (pending === 0) return { ...area, tone: 'good', text: 'No rows pending review.' };
  const text = `${formatCount(pending)} ${pending === 1 ? 'row' : 'rows'} pending review.`;
  return { ...area, tone: 'warn', text };
}

export function storeLine({ store, disk }: System): StatusLine {
  const engine = store.engine === 'pglite' ? 'embedded' : 'PostgreSQL';
  const area = { name: 'Store', to: '/operator/system' } as const;
  const size = `${formatBytes(store.sizeBytes)} stored (${engine})`;
  if (disk === null) return { ...area, tone: 'good', text: `${size}.` };
  const free = disk.freeBytes / disk.totalBytes;
  const tone = free < FREE_LAST ? 'bad' : free < FREE_LOW ? 'warn' : 'good';
  const text = `${size}, ${formatBytes(disk.freeBytes)} of disk space free (${formatShare(free)}).`;
  return { ...area, tone, text };
}

/** Names the background loops that fail, or a process that no longer reports. */
export function loopsLine({ loops }: System): StatusLine | null {
  const area = { name: 'Background loops', to: '/operator/system' } as const;
  const running = loops.filter(({ isSilent }) => !isSilent);
  const failing = running.filter(({ isFailing }) => isFailing);
  if (failing.length > 0) {
    const errors = failing.map(
      ({ loop, process, lastError }) => `${loop} on ${process} (${lastError ?? 'hangs'})`,
    );
    return { ...area, tone: 'bad', text: `Failing: ${errors.join('; ')}.` };
  }
  const silent = new Set(loops.map(({ process }) => process));
  for (const { process } of running) silent.delete(process);
  if (silent.size > 0) {
    const names = [...silent].join(', ');
    return { ...area, tone: 'warn', text: `No report for a minute from ${names}.` };
  }
  if (running.length === 0) return null;
  return { ...area, tone: 'good', text: `${formatCount(running.length)} running.` };
}

/**
 * Compares the service's clock with the browser's. `now` is the browser time at which the report
 * arrived.
 */
export function clockLine({ now: serverNow, startedAt, version }: System, now: number): StatusLine {
  const area = { name: 'Service', to: '/operator/system' } as const;
  const offsetMs = Math.abs(Date.parse(serverNow) - now);
  if (offsetMs > CLOCK_OFF_MS) {
    const minutes = formatCount(Math.round(offsetMs / 60_000));
    const text = `The service’s clock and yours differ by ${minutes} minutes.`;
    return { ...area, tone: 'warn', text };
  }
  const text = `Version ${version}, started ${formatDistance(startedAt, now)}.`;
  return { ...area, tone: 'good', text };
}

/** Summarizes the requests from the last 24 hours, given as rows by status class. */
export function requestsLine(rows: readonly UsageRow[]): StatusLine {
  const area = { name: 'Requests', to: '/operator/customers' } as const;
  const total = rows.reduce((sum, { requests }) => sum + requests, 0);
  const serverErrors = rows.reduce(
    (sum, { name, requests }) => sum + (name === '5xx' ? requests : 0),
    0,
  );
  if (total === 0) return { ...area, tone: 'plain', text: 'None in the last 24 hours.' };
  const text = `${formatCount(total)} in the last 24 hours`;
  if (serverErrors === 0) return { ...area, tone: 'good', text: `${text}, no server errors.` };
  const share = serverErrors / total;
  const tone = share > FAILED_MANY ? 'bad' : 'warn';
  return { ...area, tone, text: `${text}, ${formatCount(serverErrors)} server errors (5xx).` };
}

/** Lists active calendar changes for today and later, or returns null if there are none. */
export function marketLine(overrides: readonly MarketOverride[], today: string): StatusLine | null {
  const coming = overrides
    .filter(({ revokedAt, date }) => revokedAt === null && date >= today)
    .toSorted((a, b) => a.date.localeCompare(b.date));
  if (coming.length === 0) return null;
  const days = coming
    .map((override) => `${formatDay(override.date)} ${describeOverride(override)}`)
    .join('; ');
  return {
    name: 'Market',
    tone: 'plain',
    to: '/operator/market',
    text: `Calendar changes: ${days}.`,
  };
}

function datasetsIn(datasets: ServiceStatus['datasets'], state: string): string {
  return datasets
    .filter((dataset) => dataset.state === state)
    .map(({ dataset }) => dataset)
    .join(', ');
}
