import type { Command } from 'commander';
import { findCustomerByName } from '../../accounts/customers/customer-store.ts';
import { type KeyRecord, listKeys } from '../../accounts/keys/key-store.ts';
import { keyState } from '../../accounts/keys/api-key.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Random } from '../../platform/random.ts';
import type { Queryable } from '../../storage/db.ts';
import { addJsonOption, printRows, shownInstant, withAccounts } from './account-command.ts';
import { type CliContext, CliError } from '../command.ts';

const PAGE_ROWS = 1_000;

/** `keys list`: by their first and last characters, the oldest first. */
export function addKeyList(keys: Command, context: CliContext, random: Random): void {
  const list = keys
    .command('list')
    .description('Keys by their first and last characters.')
    .option('--customer <name>', 'only those of one customer');
  addJsonOption(list).action(({ customer, json }: { customer?: string; json?: boolean }) =>
    withAccounts(context, random, async ({ db, clock }) => {
      const found = customer === undefined ? null : await findCustomerByName(db, customer);
      if (customer !== undefined && found === null) {
        throw new CliError(`no customer is named ${customer}`);
      }
      const all = await loadAll(db, found?.id ?? null);
      const rows = all.map((key) => toRow(key, clock.now())).toReversed();
      printRows(context, rows, {
        json,
        columns: {
          ID: (row) => row.id,
          KEY: (row) => `${row.prefix}…${row.last4}`,
          PLAN: (row) => row.plan,
          STATE: (row) => row.state,
          CREATED: (row) => row.createdAt,
          'LAST USED': (row) => row.lastUsedAt,
          CUSTOMER: (row) => row.customer,
          NAME: (row) => row.name,
        },
      });
    }),
  );
}

async function loadAll(db: Queryable, customerId: string | null): Promise<KeyRecord[]> {
  const all: KeyRecord[] = [];
  for (;;) {
    const after = all.at(-1);
    const page = await listKeys(db, {
      customerId,
      limit: PAGE_ROWS,
      ...(after === undefined ? {} : { after }),
    });
    all.push(...page);
    if (page.length < PAGE_ROWS) return all;
  }
}

function toRow(key: KeyRecord, now: Instant) {
  const { id, name, prefix, last4, scopes, allowedCidrs } = key;
  return {
    id,
    customer: key.customerName,
    plan: key.plan.name,
    name,
    prefix,
    last4,
    state: keyState(key, now),
    scopes,
    allowedCidrs,
    createdAt: shownInstant(key.createdAt),
    expiresAt: shownInstant(key.expiresAt),
    lastUsedAt: shownInstant(key.lastUsedAt),
  };
}
