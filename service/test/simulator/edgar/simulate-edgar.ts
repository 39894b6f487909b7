import { loadConfirmations } from '../../../src/datasets/earnings/load-confirmations.ts';
import { loadFilingDelays } from '../../../src/datasets/filings/delays.ts';
import type { Db, Queryable, Row } from '../../../src/storage/db.ts';
import { forward } from '../../../src/storage/forward.ts';
import type { InlineStore } from '../world/inline-store.ts';
import {
  findEarlyKnowledge,
  findEarlyStore,
  findLostFilings,
  findWrongFigures,
} from './edgar-checks.ts';
import { runEdgar } from './edgar-world.ts';

export interface EdgarSimulation {
  seed: number;
  /** Broken rules as sentences. Empty if no rule was broken. */
  violations: string[];
  /** The violations that the same check finds in a store with wrong acceptance times. */
  planted: string[];
  counts: Record<string, number>;
}

const DAY_MS = 86_400_000;

/**
 * Follows a simulated EDGAR with all its faults in earnings season, then checks that no filing was
 * lost, no figure is wrong, and neither axis of time shows a value too early.
 */
export async function simulateEdgar(
  store: InlineStore,
  { seed, days, companies, instants }: Record<'seed' | 'days' | 'companies' | 'instants', number>,
): Promise<EdgarSimulation> {
  const world = await runEdgar(store, { seed, days, companies });
  const now = world.clock.now();
  const known = await findEarlyKnowledge(world, store, { seed, instants });
  const planted = await findEarlyKnowledge(world, withEarlyAcceptances(store), {
    seed,
    instants: Math.ceil(instants / 4),
  });
  const violations = [
    ...(await findLostFilings(world)),
    ...(await findWrongFigures(world)),
    ...known.violations,
    ...(await findEarlyStore(world)),
  ];
  const { counts, contradictions } = await loadConfirmations(store, now);
  violations.push(
    ...contradictions.map(({ symbol, stated }) => `${symbol}: ${stated} contradicted`),
  );
  const { days90 } = await loadFilingDelays(store, now);
  return {
    seed,
    violations,
    planted: planted.violations,
    counts: {
      reports: world.reports.length,
      served: days90.filings,
      confirmed: counts.reduce((sum, { confirmed }) => sum + confirmed, 0),
      figures: known.figures,
      ...(await quarantinedReasons(store)),
      ...faultsOf(world),
    },
  };
}

function faultsOf({ edgar, reports }: Awaited<ReturnType<typeof runEdgar>>) {
  const faults = reports.map(({ index, cycle }) => edgar.filings.faultOf(index, cycle) ?? 'none');
  return Object.fromEntries(
    [...Map.groupBy(faults, (fault) => `fault: ${fault}`)].map(([name, all]) => [name, all.length]),
  );
}

async function quarantinedReasons(db: Queryable): Promise<Record<string, number>> {
  const rows = await db.query<{ reason: string; count: number } & Row>(
    `select reason, count(*)::int4 as count from held_record group by reason order by reason`,
  );
  return Object.fromEntries(rows.map(({ reason, count }) => [`quarantined: ${reason}`, count]));
}

/** A planted fault: the store dates every acceptance of a results filing one day early. */
function withEarlyAcceptances(db: Db): Db {
  return forward(db, {
    query: async (...args) => (await db.query(...args)).map(dateEarly) as never,
  });
}

function dateEarly<T>(value: T): T {
  if (Array.isArray(value)) return value.map(dateEarly) as T;
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const early = (name: string, part: unknown): unknown =>
    name === 'acceptance'
      ? Object.fromEntries(
          Object.entries(part as Record<string, number>).map(([key, at]) => [key, at - DAY_MS]),
        )
      : dateEarly(part);
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, early(name, part)]),
  ) as T;
}
