import type { Topic } from '../datasets/topics.gen.ts';
import type { EarningsEvent } from '../datasets/earnings/row.ts';
import { loadEarningsOfSecurities } from '../datasets/earnings/store.ts';
import { loadSecuritiesBySymbol } from '../datasets/securities/store.ts';
import { marketCalendar } from '../domain/market/calendar.ts';
import type { Clock } from '../platform/clock.ts';
import { changeReport, type ChangeableField } from '../providers/sandbox/change-report.ts';
import { createSandbox } from '../providers/sandbox/index.ts';
import type { SandboxOptions } from '../providers/sandbox/settings.ts';
import { pickScheduledEvent } from '../webhooks/templates/scheduled-event.ts';
import type { Db } from '../storage/db.ts';
import { createIngest } from './ingest.ts';

/** A changed field of a report. */
export interface SandboxChange {
  reportId: string;
  before: string | null;
  after: string | null;
}

/**
 * Changes a field of a company's scheduled report in the simulated market, through a response of its
 * source. This is the report that webhooks show: the next one, or the last one for some days after
 * its results. Returns null if the company is unknown or has no such report.
 */
export async function changeSandbox(
  deps: { db: Db; clock: Clock; onCommit(topics: ReadonlySet<Topic>): void },
  options: SandboxOptions,
  { symbol, field }: { symbol: string; field: ChangeableField },
): Promise<SandboxChange | null> {
  const market = { ...options, isTradingDay: marketCalendar().isTradingDay };
  const at = deps.clock.now();
  const report = pickScheduledEvent(await loadReports(deps.db, symbol), at);
  const response = report === null ? null : changeReport(market, { symbol, field, at }, report);
  if (report === null || response === null) return null;
  await createIngest({ ...deps, providers: [createSandbox(options)] })(response);
  const changed = (await loadReports(deps.db, symbol)).find(({ id }) => id === report.id);
  return { reportId: report.id, before: report[field], after: changed?.[field] ?? null };
}

async function loadReports(db: Db, symbol: string): Promise<EarningsEvent[]> {
  const securities = await loadSecuritiesBySymbol(db, [symbol]);
  return loadEarningsOfSecurities(
    db,
    securities.map(({ id }) => id),
  );
}
