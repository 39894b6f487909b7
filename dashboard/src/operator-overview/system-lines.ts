import type { MarketOverride, System, UsageRow } from '../api/calls.gen.ts';
import type { ServiceStatus } from '../api/use-service-status.ts';
import { formatBytes, formatCount, formatShare } from '../format/number.ts';
import { formatDay, formatDistance } from '../format/time.ts';
import { sayOverride } from '../market/day-words.ts';
import type { StateLine } from './state-line.ts';

const FREE_LOW = 0.1;
const FREE_LAST = 0.03;
/** A larger clock difference breaks quotas and signatures. */
const CLOCK_OFF_MS = 2 * 60_000;
const FAILED_MANY = 0.05;

export function freshnessLine({ status, datasets }: ServiceStatus): StateLine {
  const place = { name: 'Data', to: '/operator/sources' } as const;
  const failing = named(datasets, 'failing');
  const late = named(datasets, 'late');
  if (failing !== '') return { ...place, tone: 'bad', text: `Unavailable: ${failing}.` };
  if (late !== '') return { ...place, tone: 'warn', text: `Late: ${late}.` };
  if (status === 'starting') {
    return { ...place, tone: 'warn', text: 'The service is starting and loading data.' };
  }
  const fresh = datasets.filter(({ state }) => state === 'fresh').length;
  if (fresh === 0) {
    return {
      ...place,
      tone: 'plain',
      text: 'No fresh datasets: no source has delivered data recently.',
    };
  }
  const empty = named(datasets, 'empty');
  const without = empty === '' ? '' : ` No data yet: ${empty}.`;
  return {
    ...place,
    tone: 'good',
    text: `${fresh} ${fresh === 1 ? 'dataset' : 'datasets'} up to date.${without}`,
  };
}

export function quarantineLine(waiting: number): StateLine {
  const place = { name: 'Quarantine', to: '/operator/quarantine' } as const;
  if (waiting === 0) return { ...place, tone: 'good', text: 'No rows pending review.' };
  const text = `${formatCount(waiting)} ${waiting === 1 ? 'row' : 'rows'} pending review.`;
  return { ...place, tone: 'warn', text };
}

export function storeLine({ store, disk }: System): StateLine {
  const engine = store.engine === 'pglite' ? 'embedded' : 'PostgreSQL';
  const place = { name: 'Store', to: '/operator/system' } as const;
  const size = `${formatBytes(store.sizeBytes)} stored (${engine})`;
  if (disk === null) return { ...place, tone: 'good', text: `${size}.` };
  const free = disk.freeBytes / disk.totalBytes;
  const tone = free < FREE_LAST ? 'bad' : free < FREE_LOW ? 'warn' : 'good';
  const text = `${size}, ${formatBytes(disk.freeBytes)} of disk space free (${formatShare(free)}).`;
  return { ...place, tone, text };
}

/** `now`: the browser's time at which the report arrived. */
export function clockLine({ now: told, startedAt, version }: System, now: number): StateLine {
  const place = { name: 'Service', to: '/operator/system' } as const;
  const off = Math.abs(Date.parse(told) - now);
  if (off > CLOCK_OFF_MS) {
    const minutes = formatCount(Math.round(off / 60_000));
    const text = `The service’s clock and yours differ by ${minutes} minutes.`;
    return { ...place, tone: 'warn', text };
  }
  const text = `Version ${version}, started ${formatDistance(startedAt, now)}.`;
  return { ...place, tone: 'good', text };
}

/** Takes rows by status class for the last 24 hours. */
export function requestsLine(rows: readonly UsageRow[]): StateLine {
  const place = { name: 'Requests', to: '/operator/customers' } as const;
  const all = rows.reduce((sum, { requests }) => sum + requests, 0);
  const broken = rows.reduce((sum, { name, requests }) => sum + (name === '5xx' ? requests : 0), 0);
  if (all === 0) return { ...place, tone: 'plain', text: 'None in the last 24 hours.' };
  const text = `${formatCount(all)} in the last 24 hours`;
  if (broken === 0) return { ...place, tone: 'good', text: `${text}, no server errors.` };
  const share = broken / all;
  const tone = share > FAILED_MANY ? 'bad' : 'warn';
  return { ...place, tone, text: `${text}, ${formatCount(broken)} server errors (5xx).` };
}

/** Active calendar changes from today on; null if there are none. */
export function marketLine(overrides: readonly MarketOverride[], today: string): StateLine | null {
  const coming = overrides
    .filter(({ revokedAt, date }) => revokedAt === null && date >= today)
    .toSorted((a, b) => a.date.localeCompare(b.date));
  if (coming.length === 0) return null;
  const days = coming.map((it) => `${formatDay(it.date)} ${sayOverride(it)}`).join('; ');
  return {
    name: 'Market',
    tone: 'plain',
    to: '/operator/market',
    text: `Calendar changes: ${days}.`,
  };
}

function named(datasets: ServiceStatus['datasets'], state: string): string {
  return datasets
    .filter((it) => it.state === state)
    .map(({ dataset }) => dataset)
    .join(', ');
}
