import { Option } from 'commander';
import type { Command } from 'commander';
import type { ApiKey } from '../accounts/keys/api-key.ts';
import { createKey } from '../accounts/keys/create-key.ts';
import { loadKeys, revokeKey } from '../accounts/keys/key-store.ts';
import { formatInstant } from '../platform/instant.ts';
import type { Instant } from '../platform/instant.ts';
import { systemRandom } from '../platform/random.ts';
import type { Random } from '../platform/random.ts';
import type { Db } from '../storage/db.ts';
import { readMarker } from '../storage/marker.ts';
import { CliError } from './command.ts';
import type { CliCommand, CliContext } from './command.ts';

const PLANS = ['free', 'pro'];

export const command: CliCommand = keysCommand(systemRandom());

/** Keys of readers: made, listed, revoked. */
export function keysCommand(random: Random): CliCommand {
  return {
    name: 'keys',
    add(program, context) {
      const keys = program.command('keys').description('API keys of those who read.');
      addCreate(keys, context, random);
      addList(keys, context);
      addRevoke(keys, context);
    },
  };
}

function addCreate(keys: Command, context: CliContext, random: Random): void {
  keys
    .command('create')
    .description('Make a key and print it: the only time it is seen.')
    .addOption(
      new Option('--plan <plan>', 'what its customer may use').choices(PLANS).default('free'),
    )
    .option(
      '--customer <name>',
      'whose key it is, made when new; without it, a customer of its own',
    )
    .action(({ plan, customer }: { plan: string; customer?: string }) =>
      withStore(context, async (db) => {
        // A sandbox's keys say so, lest one is taken for a key to real data.
        const kind = (await readMarker(db, 'kind')) === 'sandbox' ? 'test' : 'live';
        const created = await createKey(
          { db, clock: context.clock, random },
          { plan, kind, ...(customer === undefined ? {} : { customerName: readName(customer) }) },
        );
        if (created.kind === 'other-plan') {
          throw new CliError(
            `customer ${customer} is on plan ${created.plan}: leave out --plan ${plan} or name another`,
          );
        }
        context.stdout(`${created.key}\n`);
      }),
    );
}

function addList(keys: Command, context: CliContext): void {
  keys
    .command('list')
    .description('Keys by their first and last characters.')
    .option('--json', 'as JSON')
    .action(({ json }: { json?: boolean }) =>
      withStore(context, async (db) => {
        const rows = (await loadKeys(db)).map((key) => toRow(key, context.clock.now()));
        context.stdout(json === true ? `${JSON.stringify(rows, null, 2)}\n` : renderTable(rows));
      }),
    );
}

function addRevoke(keys: Command, context: CliContext): void {
  keys
    .command('revoke <key>')
    .description('End a key for good, named by its id or the first characters shown in the list.')
    .action((name: string) =>
      withStore(context, async (db) => {
        const named = (await loadKeys(db)).filter((key) => key.id === name || key.prefix === name);
        const [key] = named;
        if (key === undefined) throw new CliError(`no key has the id or prefix ${name}`);
        if (named.length > 1) throw new CliError(`${named.length} keys begin so: use the id`);
        const isNew = await revokeKey(db, key.id, context.clock.now());
        context.stderr(`${key.id} ${isNew ? 'is revoked' : 'was revoked before'}\n`);
      }),
    );
}

async function withStore(context: CliContext, work: (db: Db) => Promise<void>): Promise<void> {
  const { db, close } = await context.openStore();
  try {
    await work(db);
  } finally {
    await close();
  }
}

function readName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > 200)
    throw new CliError('a customer name has 1 to 200 characters');
  return name;
}

interface KeyRow {
  id: string;
  customer: string;
  plan: string;
  prefix: string;
  last4: string;
  state: 'active' | 'expired' | 'disabled' | 'revoked' | 'suspended';
  createdAt: string;
  expiresAt: string | null;
}

function toRow(key: ApiKey, now: Instant): KeyRow {
  return {
    id: key.id,
    customer: key.customerName,
    plan: key.plan,
    prefix: key.prefix,
    last4: key.last4,
    state: stateOf(key, now),
    createdAt: formatInstant(key.createdAt),
    expiresAt: key.expiresAt === null ? null : formatInstant(key.expiresAt),
  };
}

function stateOf(key: ApiKey, now: Instant): KeyRow['state'] {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt !== null && now >= key.expiresAt) return 'expired';
  if (key.disabledAt !== null) return 'disabled';
  return key.suspendedAt === null ? 'active' : 'suspended';
}

function renderTable(rows: readonly KeyRow[]): string {
  const cells = rows.map((row) => [
    row.id,
    `${row.prefix}…${row.last4}`,
    row.plan,
    row.state,
    row.createdAt,
    row.customer,
  ]);
  const table = [['ID', 'KEY', 'PLAN', 'STATE', 'CREATED', 'CUSTOMER'], ...cells];
  const widths = table[0]?.map((_, at) => Math.max(...table.map((line) => line[at]?.length ?? 0)));
  const lines = table.map((line) => line.map((cell, at) => cell.padEnd(widths?.[at] ?? 0)));
  return lines.map((line) => `${line.join('  ').trimEnd()}\n`).join('');
}
