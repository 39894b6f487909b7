import { type AnswerCheck, createAnswerCheck } from './checks/answers.ts';
import { type ChangeSeen, createChangeCheck } from './checks/changes.ts';
import { createDeliveryCheck, type DeliveryCheck } from './checks/deliveries.ts';
import { checkFreshness } from './checks/freshness.ts';
import { createQuotaCheck, type QuotaCheck } from './checks/quotas.ts';
import { createRowCheck } from './checks/rows.ts';
import { createScheduleCheck } from './checks/schedule.ts';
import type { SimulatedService } from './service.ts';
import type { Stage } from './stage.ts';

/** A change observed longer ago may be sent to no subscriber, which the rules permit. */
const TOLD_FOR_SURE_MS = 12 * 3_600_000;
/** Maximum lag of the gatherer's clock. */
const SKEW_MS = 5_000;
/** Number of consecutive checks that may find changes queued while a worker is healthy. */
const UNDRAINED_MAX = 8;

export interface Checks {
  rows: ReturnType<typeof createRowCheck>;
  changes: ReturnType<typeof createChangeCheck>;
  deliveries: DeliveryCheck;
  schedule: ReturnType<typeof createScheduleCheck>;
  quotas: QuotaCheck;
  answers: AnswerCheck;
  /** Ids of deliveries for which a sender received 2xx. */
  delivered: Set<string>;
  /** Runs all checks on an idle world. */
  all(service: SimulatedService): Promise<void>;
  count(): number;
}

export function createChecks(stage: Stage): Checks {
  const { store: db, timeline, report, receivers, states, random, accounts } = stage;
  const now = () => timeline.now();
  const delivered = new Set<string>();
  const excused = new Set<string>();
  let undrained = 0;
  let count = 0;
  const checks: Checks = {
    rows: createRowCheck({ db, now }, report),
    changes: createChangeCheck(db, report),
    deliveries: createDeliveryCheck({ db, now, receivers, states, delivered }, report),
    schedule: createScheduleCheck({ db, now }, report),
    quotas: createQuotaCheck(report),
    answers: createAnswerCheck({ random, key: accounts.customers[0]?.key ?? '' }, report),
    delivered,
    all: checkAll,
    count: () => count,
  };

  async function checkAll(service: SimulatedService): Promise<void> {
    count += 1;
    await states.note();
    for (const change of await checks.changes.check()) excuse(change);
    await checks.rows.check();
    await checks.deliveries.checkEnds();
    await checkDrained(service);
    const providers = stage.sources.map(({ provider }) => provider);
    const lastAt = checks.rows.lastAt();
    const lastGoodAt = lastAt === null ? null : lastAt - SKEW_MS;
    await checkFreshness({ db, providers, now: now(), lastGoodAt }, report);
    const { reader } = service;
    if (reader !== null && reader.process.isAlive() && reader.process.offsetMs() === 0) {
      await checks.answers.check(reader, { now: now(), isSettled: true });
    }
  }

  function excuse({ symbol, observedAt, committedAt }: ChangeSeen): void {
    if (committedAt - observedAt > TOLD_FOR_SURE_MS) excused.add(symbol);
    else excused.delete(symbol);
  }

  async function checkDrained({ senders }: SimulatedService): Promise<void> {
    const isServed = senders.some(({ process }) => isWell(process));
    const isDrained =
      isServed && (await checks.deliveries.checkInformed((one) => excused.has(one)));
    undrained = isServed && !isDrained ? undrained + 1 : 0;
    if (undrained > UNDRAINED_MAX) report('changes stay queued though a worker is well');
  }

  return checks;
}

function isWell(process: SimulatedService['senders'][number]['process']): boolean {
  return process.isAlive() && !process.isFrozen() && Math.abs(process.offsetMs()) < 5_000;
}
