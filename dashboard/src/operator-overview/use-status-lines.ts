import { CALM_MS, useCall } from '../api/use-call.ts';
import { useServiceStatus } from '../api/use-service-status.ts';
import { newYorkDate } from '../format/time.ts';
import { useNow } from '../ui/values/use-now.ts';
import { firstHour } from './hours.ts';
import { deliveriesLine, sourcesLine } from './ingest-lines.ts';
import { type StatusLine, worstFirst } from './status-line.ts';
import {
  clockLine,
  freshnessLine,
  loopsLine,
  marketLine,
  quarantineLine,
  requestsLine,
  storeLine,
} from './system-lines.ts';

export interface StatusLines {
  /** The status lines for the areas that have loaded. */
  lines: StatusLine[];
  /** The names of the areas that failed to load. */
  failedAreas: string[];
  isComplete: boolean;
}

/**
 * Loads the status of each area independently, so that a failure in one area doesn't hide the
 * others.
 */
export function useStatusLines(): StatusLines {
  const now = useNow();
  const calm = { everyMs: CALM_MS };
  const hourly = { by: 'hour', split: 'status-class', from: firstHour(now) } as const;
  const status = useServiceStatus();
  const quarantine = useCall('quarantine-counts-read', {}, calm);
  const sources = useCall('sources-list', {}, calm);
  const webhooks = useCall('webhook-stats-read', {}, calm);
  const system = useCall('system-read', {}, calm);
  const usage = useCall('system-usage-read', { query: hourly }, { ...calm, keepsPrevious: true });
  const overrides = useCall('market-overrides-list', {}, calm);
  const parts = [
    { name: 'Sources', query: sources },
    { name: 'Data', query: status },
    { name: 'Quarantine', query: quarantine },
    { name: 'Deliveries', query: webhooks },
    { name: 'Store', query: system },
    { name: 'Requests', query: usage },
    { name: 'Market', query: overrides },
  ];
  const market = overrides.data && marketLine(overrides.data, newYorkDate(new Date(now)));
  const loops = system.data && loopsLine(system.data);
  const lines = [
    ...(sources.data ? [sourcesLine(sources.data)] : []),
    ...(status.data ? [freshnessLine(status.data)] : []),
    ...(quarantine.data ? [quarantineLine(quarantine.data.open)] : []),
    ...(webhooks.data ? [deliveriesLine(webhooks.data)] : []),
    ...(system.data ? [storeLine(system.data)] : []),
    ...(loops ? [loops] : []),
    ...(usage.data ? [requestsLine(usage.data.rows)] : []),
    ...(market ? [market] : []),
    ...(system.data ? [clockLine(system.data, system.dataUpdatedAt)] : []),
  ];
  return {
    lines: worstFirst(lines),
    failedAreas: parts.filter(({ query }) => query.isError).map(({ name }) => name),
    isComplete: parts.every(({ query }) => query.data !== undefined),
  };
}
