import type { Command } from 'commander';
import { COMMAND_LINE } from '../../accounts/audit-log.ts';
import { loadPlans } from '../../accounts/plans/plan-store.ts';
import { addPlan, changePlan, DEFAULT_LIMITS, removePlan } from '../../accounts/plans/plans.ts';
import type { Plan } from '../../domain/plan.ts';
import { type Random, systemRandom } from '../../platform/random.ts';
import { expectKind, withAccounts, withNewAccounts } from '../accounts/account-command.ts';
import { type CliCommand, type CliContext, CliError } from '../command.ts';
import { addJsonOption } from '../options.ts';
import { printRows } from '../print-rows.ts';

export const command: CliCommand = plansCommand(systemRandom());

export function plansCommand(random: Random): CliCommand {
  return {
    name: 'plans',
    add(program, context) {
      const plans = program
        .command('plans')
        .description('Manage plans: limits of requests, history and watchlists');
      addList(plans, context, random);
      addAdd(plans, context, random);
      addSet(plans, context, random);
      addRemove(plans, context, random);
    },
  };
}

function addList(plans: Command, context: CliContext, random: Random): void {
  const list = plans.command('list').description('List plans; - means unlimited');
  addJsonOption(list).action(({ json }: { json?: boolean }) =>
    withAccounts(context, random, async ({ db }) =>
      printRows(context, await loadPlans(db), {
        json,
        columns: {
          NAME: (plan) => plan.name,
          'PER MINUTE': (plan) => plan.perMinute,
          'PER DAY': (plan) => plan.perDay,
          'PER MONTH': (plan) => plan.perMonth,
          'HISTORY (MONTHS)': (plan) => plan.historyMonths,
          'COMPUTE MS PER MINUTE': (plan) => plan.computeMsPerMinute,
          WATCHLISTS: (plan) => plan.watchlistsMax,
          'COMPANIES PER WATCHLIST': (plan) => plan.watchlistCompaniesMax,
        },
      }),
    ),
  );
}

interface PlanFlags {
  perMinute?: number;
  perDay?: Limit;
  perMonth?: Limit;
  historyMonths?: Limit;
  computeMs?: Limit;
  watchlists?: number;
  watchlistCompanies?: number;
}

/** Uses `none` instead of null, because Commander treats null as a missing value. */
type Limit = number | 'none';

function readLimits(flags: PlanFlags): Partial<Plan> {
  const { perMinute, perDay, perMonth, historyMonths, computeMs } = flags;
  const { watchlists, watchlistCompanies } = flags;
  return {
    ...(perMinute === undefined ? {} : { perMinute }),
    ...(perDay === undefined ? {} : { perDay: limitOrNull(perDay) }),
    ...(perMonth === undefined ? {} : { perMonth: limitOrNull(perMonth) }),
    ...(historyMonths === undefined ? {} : { historyMonths: limitOrNull(historyMonths) }),
    ...(computeMs === undefined ? {} : { computeMsPerMinute: limitOrNull(computeMs) }),
    ...(watchlists === undefined ? {} : { watchlistsMax: watchlists }),
    ...(watchlistCompanies === undefined ? {} : { watchlistCompaniesMax: watchlistCompanies }),
  };
}

function limitOrNull(limit: Limit): number | null {
  return limit === 'none' ? null : limit;
}

function addAdd(plans: Command, context: CliContext, random: Random): void {
  addLimits(
    plans
      .command('add <name>')
      .description('Add a plan; omitted limits of requests and history are unlimited'),
  ).action((name: string, flags: PlanFlags) =>
    withNewAccounts(context, random, async (deps) => {
      const limits = readLimits(flags);
      const { perMinute } = limits;
      if (perMinute === undefined) throw new CliError('--per-minute is required');
      const unlimited = { perDay: null, perMonth: null, historyMonths: null };
      const plan: Plan = { ...unlimited, ...DEFAULT_LIMITS, ...limits, name, perMinute };
      expectKind(await addPlan(deps, plan, COMMAND_LINE), 'added', {
        exists: `plan ${name} already exists; change it with afterbell plans set ${name}`,
      });
      context.stderr(`Added plan ${name}\n`);
    }),
  );
}

function addSet(plans: Command, context: CliContext, random: Random): void {
  addLimits(
    plans.command('set <name>').description('Change a plan, effective from the next request'),
  ).action((name: string, flags: PlanFlags) =>
    withAccounts(context, random, async (deps) => {
      expectKind(await changePlan(deps, { ...readLimits(flags), name }, COMMAND_LINE), 'changed', {
        'not-found': `plan not found: ${name}`,
      });
      context.stderr(`Changed plan ${name}\n`);
    }),
  );
}

function addRemove(plans: Command, context: CliContext, random: Random): void {
  plans
    .command('remove <name>')
    .description('Remove a plan that no customer has ever used')
    .action((name: string) =>
      withAccounts(context, random, async (deps) => {
        expectKind(await removePlan(deps, name, COMMAND_LINE), 'removed', {
          used: `customers use or have used plan ${name}`,
          'not-found': `plan not found: ${name}`,
        });
        context.stderr(`Removed plan ${name}\n`);
      }),
    );
}

function addLimits(command: Command): Command {
  return command
    .option('--per-minute <number>', 'Maximum requests in any 60 seconds', readCount)
    .option('--per-day <number>', 'Maximum requests per day (New York time), or none', readLimit)
    .option(
      '--per-month <number>',
      'Maximum requests per month (New York time), or none',
      readLimit,
    )
    .option('--history-months <number>', 'Months of history, or none for unlimited', readLimit)
    .option(
      '--compute-ms <number>',
      'Milliseconds of computing time per minute and process, or none',
      readLimit,
    )
    .option('--watchlists <number>', 'Maximum number of watchlists', readCount)
    .option(
      '--watchlist-companies <number>',
      'Maximum number of companies per watchlist',
      readCount,
    );
}

function readLimit(text: string): Limit {
  return text === 'none' ? text : readCount(text);
}

function readCount(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new CliError(`${text} is not a whole number`);
  return Number(text);
}
