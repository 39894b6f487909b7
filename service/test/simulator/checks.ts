import { ResponseCheck } from './checks/responses.ts';
import { ChangeCheck, type RecordedChange } from './checks/changes.ts';
import { DeliveryCheck } from './checks/deliveries.ts';
import { checkFreshness } from './checks/freshness.ts';
import { createQuotaCheck, type QuotaCheck } from './checks/quotas.ts';
import { RowCheck } from './checks/rows.ts';
import { createScheduleCheck } from './checks/schedule.ts';
import type { SimulatedService } from './service.ts';
import type { Stage } from './stage.ts';

/**
 * The service is not required to send a change that was committed more than this long after its
 * observation.
 */
const SENT_FOR_SURE_MS = 12 * 3_600_000;
/** Maximum lag in the ingester's clock. */
const SKEW_MS = 5_000;
/** Number of consecutive checks that may find queued changes while a worker is healthy. */
const UNDRAINED_CHECKS_MAX = 8;

export interface Checks {
  rows: RowCheck;
  changes: ChangeCheck;
  deliveries: DeliveryCheck;
  schedule: ReturnType<typeof createScheduleCheck>;
  quotas: QuotaCheck;
  responses: ResponseCheck;
  /** Ids of deliveries for which a sender received a 2xx. */
  delivered: Set<string>;
  /** Runs all checks while the world is idle. */
  all(service: SimulatedService): Promise<void>;
  /** Checks that the store still has all work that it acknowledged. */
  acknowledged(): Promise<void>;
  count(): number;
}

export function createChecks(stage: Stage): Checks {
  const { store: db, timeline, receivers, history, random, accounts } = stage;
  const now = () => timeline.now();
  const report = (violation: string): void => stage.report(violation);
  const delivered = new Set<string>();
  const excusedSymbols = new Set<string>();
  let undrainedChecks = 0;
  let count = 0;
  const checks: Checks = {
    rows: new RowCheck({ db, now }, report),
    changes: new ChangeCheck(db, report),
    deliveries: new DeliveryCheck({ db, now, receivers, history, delivered }, report),
    schedule: createScheduleCheck({ db, now }, report),
    quotas: createQuotaCheck(report),
    responses: new ResponseCheck({ random, key: accounts.customers[0]?.key ?? '' }, report),
    delivered,
    all: checkAll,
    acknowledged: checkAcknowledged,
    count: () => count,
  };

  async function checkAcknowledged(): Promise<void> {
    for (const change of await checks.changes.check()) excuse(excusedSymbols, change);
    await checks.rows.check();
    await checks.deliveries.checkFinished();
    await checks.quotas.checkStored(db);
  }

  async function checkAll(service: SimulatedService): Promise<void> {
    count += 1;
    await history.record();
    await checkAcknowledged();
    await checkDrained(service);
    const providers = stage.sources.map(({ provider }) => provider);
    const lastAt = checks.rows.lastIngestedAt();
    const lastGoodAt = lastAt === null ? null : lastAt - SKEW_MS;
    await checkFreshness({ db, providers, now: now(), lastGoodAt }, report);
    const { reader } = service;
    if (reader !== null && reader.process.isAlive() && reader.process.offsetMs() === 0) {
      const isQuiet = lastAt !== null && lastAt + 2 * SKEW_MS < now();
      await checks.responses.check(reader, { now: now(), isSettled: true, isQuiet });
    }
  }

  async function checkDrained({ senders }: SimulatedService): Promise<void> {
    const isServed = senders.some(({ process }) => isHealthy(process));
    const isDrained =
      isServed &&
      (await checks.deliveries.checkSubscribers((symbol) => excusedSymbols.has(symbol)));
    undrainedChecks = isServed && !isDrained ? undrainedChecks + 1 : 0;
    if (undrainedChecks > UNDRAINED_CHECKS_MAX)
      report('changes stay queued although a worker is healthy');
  }

  return checks;
}

function excuse(
  excusedSymbols: Set<string>,
  { symbol, observedAt, committedAt }: RecordedChange,
): void {
  if (committedAt - observedAt > SENT_FOR_SURE_MS) excusedSymbols.add(symbol);
  else excusedSymbols.delete(symbol);
}

function isHealthy(process: SimulatedService['senders'][number]['process']): boolean {
  return process.isAlive() && !process.isFrozen() && Math.abs(process.offsetMs()) < 5_000;
}
