import {
  type Customer,
  findCustomer,
  findCustomerByName,
} from '../../accounts/customers/customer-store.ts';
import type { AccountsDeps } from '../../accounts/deps.ts';
import type { Random } from '../../platform/random.ts';
import type { Queryable } from '../../storage/db.ts';
import { type CliContext, CliError, type StoreChoice } from '../command.ts';

/** Opens the store, runs `work` with it and closes it. */
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

/** Like `withAccounts`, for commands that may be the first to write to a store. */
export function withNewAccounts(
  context: CliContext,
  random: Random,
  work: (deps: AccountsDeps) => Promise<void>,
): Promise<void> {
  return withAccounts(context, random, work, { mayCreate: true });
}

/** Narrows an outcome to the expected kind. Throws `CliError` for any other kind. */
export function expectKind<Outcome extends { kind: string }, Kind extends Outcome['kind']>(
  outcome: Outcome,
  kind: Kind,
  messages: Partial<Record<Exclude<Outcome['kind'], Kind>, string>> = {},
): Extract<Outcome, { kind: Kind }> {
  if (outcome.kind === kind) return outcome as Extract<Outcome, { kind: Kind }>;
  const message = (messages as Record<string, string | undefined>)[outcome.kind];
  const { parameter, detail, retryAfterSeconds } = outcome as {
    parameter?: string;
    detail?: string;
    retryAfterSeconds?: number;
  };
  if (message !== undefined) throw new CliError(message);
  if (retryAfterSeconds !== undefined) {
    throw new CliError(`rate limit exceeded; try again in ${retryAfterSeconds} s`);
  }
  if (detail === undefined) throw new CliError(outcome.kind.replaceAll('-', ' '));
  throw new CliError(parameter === undefined ? detail : `${parameter}: ${detail}`);
}

export async function requireCustomer(db: Queryable, idOrName: string): Promise<Customer> {
  const customer = (await findCustomer(db, idOrName)) ?? (await findCustomerByName(db, idOrName));
  if (customer === null) throw new CliError(`no customer has the ID or name ${idOrName}`);
  return customer;
}

const PAGE_ROWS = 1_000;

/** Loads all pages of a list. `load` receives the last row of the previous page. */
export async function loadAllPages<Row>(
  load: (page: { after: Row | undefined; limit: number }) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const page = await load({ after: rows.at(-1), limit: PAGE_ROWS });
    rows.push(...page);
    if (page.length < PAGE_ROWS) return rows;
  }
}
