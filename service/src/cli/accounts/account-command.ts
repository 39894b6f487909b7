import type { Command } from 'commander';
import type { AccountsDeps } from '../../accounts/deps.ts';
import { formatInstant, type Instant, parseInstant } from '../../platform/instant.ts';
import type { Random } from '../../platform/random.ts';
import { type CliContext, CliError, type StoreChoice } from '../command.ts';
import { renderTable } from '../table.ts';

/** What the commands about accounts have in common. */

/** Runs work on the store the command means. */
export async function withAccounts(
  context: CliContext,
  random: Random,
  work: (deps: AccountsDeps) => Promise<void>,
  choice: StoreChoice = {},
): Promise<void> {
  const { db, close } = await context.openStore(choice);
  try {
    await work({ db, clock: context.clock, random });
  } finally {
    await close();
  }
}

/** The same for what may be the first thing in a store: without one, it is made. */
export function withFirstAccounts(
  context: CliContext,
  random: Random,
  work: (deps: AccountsDeps) => Promise<void>,
): Promise<void> {
  return withAccounts(context, random, work, { mayCreate: true });
}

/** Takes what was done, or tells why it was not. */
export function expectKind<Outcome extends { kind: string }, Kind extends Outcome['kind']>(
  outcome: Outcome,
  kind: Kind,
  why: Partial<Record<Exclude<Outcome['kind'], Kind>, string>> = {},
): Extract<Outcome, { kind: Kind }> {
  if (outcome.kind === kind) return outcome as Extract<Outcome, { kind: Kind }>;
  const said = (why as Record<string, string | undefined>)[outcome.kind];
  if ('detail' in outcome && 'parameter' in outcome && said === undefined) {
    throw new CliError(`${String(outcome.parameter)}: ${String(outcome.detail)}`);
  }
  throw new CliError(said ?? outcome.kind);
}

/** Prints rows as JSON or as a table with a column a field. */
export function printRows<Row extends object>(
  context: CliContext,
  rows: readonly Row[],
  options: {
    json: boolean | undefined;
    columns: Readonly<Record<string, (row: Row) => string | number | null>>;
  },
): void {
  if (options.json === true) {
    context.stdout(`${JSON.stringify(rows, null, 2)}\n`);
    return;
  }
  const cells = rows.map((row) =>
    Object.values(options.columns).map((cell) => {
      const value = cell(row);
      return value === null ? '-' : String(value);
    }),
  );
  context.stdout(renderTable(Object.keys(options.columns), cells));
}

export function shownInstant(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `30d`, `12h`, `90m` from now, an RFC 3339 instant, or `never`. */
export function readExpiry(text: string, now: Instant): Instant | null {
  if (text === 'never') return null;
  const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const instant =
    count === undefined ? parseInstant(text) : now + Number(count) * UNITS_MS[unit as 'm'];
  if (instant === null) {
    throw new CliError(`${text} is no time: 30d, 12h, 90m, never or 2027-01-31T00:00:00Z`);
  }
  return instant;
}

/** `a,b` as `['a', 'b']`. */
export function readList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

export function addJsonOption(command: Command): Command {
  return command.option('--json', 'as JSON');
}
