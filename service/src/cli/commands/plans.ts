import type { Command } from 'commander';
import { COMMAND_LINE } from '../../accounts/audit-log.ts';
import { loadPlans } from '../../accounts/plans/plan-store.ts';
import { addPlan, changePlan, removePlan } from '../../accounts/plans/plans.ts';
import type { Plan } from '../../domain/plan.ts';
import { type Random, systemRandom } from '../../platform/random.ts';
import {
  addJsonOption,
  expectKind,
  printRows,
  withAccounts,
  withFirstAccounts,
} from '../accounts/account-command.ts';
import { type CliCommand, type CliContext, CliError } from '../command.ts';

export const command: CliCommand = plansCommand(systemRandom());

/** What customers may use: limits and history by name. */
export function plansCommand(random: Random): CliCommand {
  return {
    name: 'plans',
    add(program, context) {
      const plans = program.command('plans').description('What customers may use.');
      addList(plans, context, random);
      addAdd(plans, context, random);
      addSet(plans, context, random);
      addRemove(plans, context, random);
    },
  };
}

function addList(plans: Command, context: CliContext, random: Random): void {
  const list = plans.command('list').description('Every plan; - is no limit.');
  addJsonOption(list).action(({ json }: { json?: boolean }) =>
    withAccounts(context, random, async ({ db }) =>
      printRows(context, await loadPlans(db), {
        json,
        columns: {
          NAME: (plan) => plan.name,
          'PER MINUTE': (plan) => plan.perMinute,
          'PER DAY': (plan) => plan.perDay,
          'PER MONTH': (plan) => plan.perMonth,
          'MONTHS OF HISTORY': (plan) => plan.historyMonths,
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
}

/** Commander takes a null for a missing value, so the word stands until here. */
type Limit = number | 'none';

function limitsOf(flags: PlanFlags): Partial<Plan> {
  const { perMinute, perDay, perMonth, historyMonths } = flags;
  return {
    ...(perMinute === undefined ? {} : { perMinute }),
    ...(perDay === undefined ? {} : { perDay: numberOf(perDay) }),
    ...(perMonth === undefined ? {} : { perMonth: numberOf(perMonth) }),
    ...(historyMonths === undefined ? {} : { historyMonths: numberOf(historyMonths) }),
  };
}

function numberOf(limit: Limit): number | null {
  return limit === 'none' ? null : limit;
}

function addAdd(plans: Command, context: CliContext, random: Random): void {
  addLimits(
    plans.command('add <name>').description('Add a plan; what is left out has no limit.'),
  ).action((name: string, flags: PlanFlags) =>
    withFirstAccounts(context, random, async (deps) => {
      const limits = limitsOf(flags);
      const { perMinute, perDay = null, perMonth = null, historyMonths = null } = limits;
      if (perMinute === undefined) throw new CliError('say how much with --per-minute');
      const plan: Plan = { name, perMinute, perDay, perMonth, historyMonths };
      expectKind(await addPlan(deps, plan, COMMAND_LINE), 'added', {
        exists: `there is a plan ${name}: change it with afterbell plans set ${name}`,
      });
      context.stderr(`plan ${name} is added\n`);
    }),
  );
}

function addSet(plans: Command, context: CliContext, random: Random): void {
  addLimits(
    plans.command('set <name>').description('Change a plan: it holds from the next request on.'),
  ).action((name: string, flags: PlanFlags) =>
    withAccounts(context, random, async (deps) => {
      expectKind(await changePlan(deps, { ...limitsOf(flags), name }, COMMAND_LINE), 'changed', {
        'not-found': `there is no plan ${name}`,
      });
      context.stderr(`plan ${name} is changed\n`);
    }),
  );
}

function addRemove(plans: Command, context: CliContext, random: Random): void {
  plans
    .command('remove <name>')
    .description('Remove a plan that no customer is or was on.')
    .action((name: string) =>
      withAccounts(context, random, async (deps) => {
        expectKind(await removePlan(deps, name, COMMAND_LINE), 'removed', {
          used: `customers are or were on plan ${name}`,
          'not-found': `there is no plan ${name}`,
        });
        context.stderr(`plan ${name} is removed\n`);
      }),
    );
}

function addLimits(command: Command): Command {
  return command
    .option('--per-minute <number>', 'requests in any 60 seconds', readCount)
    .option('--per-day <number>', 'requests in a New York day, or none', readLimit)
    .option('--per-month <number>', 'requests in a New York month, or none', readLimit)
    .option('--history-months <number>', 'months of history, or none for all', readLimit);
}

function readLimit(text: string): Limit {
  return text === 'none' ? text : readCount(text);
}

function readCount(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new CliError(`${text} is no whole number`);
  return Number(text);
}
