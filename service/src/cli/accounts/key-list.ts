import type { Command } from 'commander';
import { findCustomerByName } from '../../accounts/customers/customer-store.ts';
import { type KeyRecord, listKeys } from '../../accounts/keys/key-store.ts';
import { keyState } from '../../accounts/keys/api-key.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Random } from '../../platform/random.ts';
import { type CliContext, CliError } from '../command.ts';
import { addJsonOption } from '../options.ts';
import { formatInstantOrNull, printRows } from '../print-rows.ts';
import { loadAllPages, withAccounts } from './account-command.ts';

/** Adds `keys list`, which shows only the first and last characters of each key. */
export function addKeyList(keys: Command, context: CliContext, random: Random): void {
  const list = keys
    .command('list')
    .description('List API keys, oldest first')
    .option('--customer <name>', 'Only keys of this customer');
  addJsonOption(list).action(({ customer: name, json }: { customer?: string; json?: boolean }) =>
    withAccounts(context, random, async ({ db, clock }) => {
      const customer = name === undefined ? null : await findCustomerByName(db, name);
      if (name !== undefined && customer === null) {
        throw new CliError(`no customer has the name ${name}`);
      }
      const keyRecords = await loadAllPages<KeyRecord>(({ after, limit }) =>
        listKeys(db, {
          customerId: customer?.id ?? null,
          limit,
          ...(after === undefined ? {} : { after }),
        }),
      );
      const rows = keyRecords.map((key) => toRow(key, clock.now())).toReversed();
      printRows(context, rows, {
        json,
        columns: {
          ID: (row) => row.id,
          KEY: (row) => `${row.prefix}…${row.last4}`,
          PLAN: (row) => row.plan,
          STATE: (row) => row.state,
          CREATED: (row) => row.createdAt,
          'LAST USED': (row) => row.lastUsedAt,
          'CREATED BY': (row) => row.createdBy?.label ?? null,
          CUSTOMER: (row) => row.customer,
          NAME: (row) => row.name,
        },
      });
    }),
  );
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
    createdAt: formatInstantOrNull(key.createdAt),
    createdBy: key.createdBy,
    expiresAt: formatInstantOrNull(key.expiresAt),
    lastUsedAt: formatInstantOrNull(key.lastUsedAt),
  };
}
