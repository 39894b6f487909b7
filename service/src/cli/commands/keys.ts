import { type Command, Option } from 'commander';
import { COMMAND_LINE } from '../../accounts/audit-log.ts';
import { findCustomerByName } from '../../accounts/customers/customer-store.ts';
import { createCustomerInTransaction } from '../../accounts/customers/customers.ts';
import { type AccountsDeps, generateId } from '../../accounts/deps.ts';
import { deleteKey, disableKey, enableKey, revokeKey } from '../../accounts/keys/change-key.ts';
import { createKeyInTransaction } from '../../accounts/keys/create-key.ts';
import { findKeysByIdOrPrefix, type KeyRecord } from '../../accounts/keys/key-store.ts';
import type { KeySettingsInput } from '../../accounts/keys/key-settings.ts';
import { type Grace, GRACE_MS, rollKey } from '../../accounts/keys/roll-key.ts';
import { type Random, systemRandom } from '../../platform/random.ts';
import type { Transaction } from '../../storage/db.ts';
import { readMarker } from '../../storage/marker.ts';
import { expectKind, withAccounts, withNewAccounts } from '../accounts/account-command.ts';
import { addKeyList } from '../accounts/key-list.ts';
import { type CliCommand, type CliContext, CliError } from '../command.ts';
import { addJsonOption, readExpiry, readList } from '../options.ts';
import { formatInstantOrNull } from '../print-rows.ts';

export const command: CliCommand = keysCommand(systemRandom());

export function keysCommand(random: Random): CliCommand {
  return {
    name: 'keys',
    add(program, context) {
      const keys = program.command('keys').description('Manage API keys');
      addCreate(keys, context, random);
      addKeyList(keys, context, random);
      addRoll(keys, context, random);
      addStateChanges(keys, context, random);
    },
  };
}

interface CreateFlags {
  plan?: string;
  customer?: string;
  name?: string;
  scopes?: string;
  allow?: string;
  expires?: string;
  json?: boolean;
}

function addCreate(keys: Command, context: CliContext, random: Random): void {
  const create = keys
    .command('create')
    .description('Create an API key and print it; it is shown only once')
    .option('--plan <plan>', 'Plan of the customer (default: its current plan, or free)')
    .option(
      '--customer <name>',
      'Customer that owns the key, created if missing (default: a new customer)',
    )
    .option('--name <name>', 'Name of the key')
    .option('--scopes <list>', 'Scopes: read, manage or both (default: read)')
    .option(
      '--allow <blocks>',
      'Allowed client addresses, such as 192.0.2.0/24,2001:db8::/32 (default: any)',
    )
    .option('--expires <when>', 'Expiry: 30d, 12h or an RFC 3339 instant (default: never)');
  addJsonOption(create).action((flags: CreateFlags) =>
    withNewAccounts(context, random, async (deps) => {
      // Sandbox keys have their own prefix, which distinguishes them from keys for real data.
      const kind = (await readMarker(deps.db, 'kind')) === 'sandbox' ? 'test' : 'live';
      const keySettings = readKeySettings(flags, context);
      const { key, record } = await deps.db.transaction(async (tx) => {
        const customerId = await findOrCreateCustomer(tx, deps, flags);
        const options = { customerId, kind, ...keySettings } as const;
        return expectKind(await createKeyInTransaction(tx, deps, options, COMMAND_LINE), 'created');
      });
      const result = { key, id: record.id, customerId: record.customerId };
      context.stdout(flags.json === true ? `${JSON.stringify(result, null, 2)}\n` : `${key}\n`);
    }),
  );
}

function readKeySettings(flags: CreateFlags, context: CliContext): KeySettingsInput {
  const { name, scopes, allow, expires } = flags;
  return {
    ...(name === undefined ? {} : { name }),
    ...(scopes === undefined ? {} : { scopes: readList(scopes) }),
    ...(allow === undefined ? {} : { allowedCidrs: readList(allow) }),
    ...(expires === undefined ? {} : { expiresAt: readExpiry(expires, context.clock.now()) }),
  };
}

async function findOrCreateCustomer(
  tx: Transaction,
  deps: AccountsDeps,
  flags: CreateFlags,
): Promise<string> {
  const name = (flags.customer ?? `Customer ${generateId('of', deps.random).slice(3, 11)}`).trim();
  const existing = await findCustomerByName(tx, name);
  if (existing === null) {
    const input = { name, plan: flags.plan ?? 'free' };
    const outcome = await createCustomerInTransaction(tx, deps, input, COMMAND_LINE);
    return expectKind(outcome, 'created').customer.id;
  }
  const { id, plan } = existing;
  if (flags.plan !== undefined && flags.plan !== plan.name) {
    throw new CliError(
      `customer ${name} is on plan ${plan.name}: remove --plan, or change the plan with ` +
        `afterbell customers plan ${id} ${flags.plan}`,
    );
  }
  return id;
}

function addRoll(keys: Command, context: CliContext, random: Random): void {
  const roll = keys
    .command('roll <key>')
    .description('Replace an API key with a new one and print it; it is shown only once')
    .addOption(
      new Option('--grace <time>', 'How long the old key keeps working')
        .choices(Object.keys(GRACE_MS))
        .default('24h'),
    );
  addJsonOption(roll).action(
    (idOrPrefix: string, { grace, json }: { grace: Grace; json?: boolean }) =>
      withAccounts(context, random, async (deps) => {
        const { id: keyId, customerId } = await requireKey(deps, idOrPrefix);
        const rolled = expectKind(
          await rollKey(deps, { customerId, keyId, grace }, COMMAND_LINE),
          'rolled',
          { 'not-active': `${keyId} is revoked, expired, disabled or already rolled` },
        );
        const oldEndsAt = formatInstantOrNull(rolled.oldEndsAt);
        const result = { key: rolled.key, id: rolled.id, customerId, oldEndsAt };
        context.stdout(json === true ? `${JSON.stringify(result, null, 2)}\n` : `${rolled.key}\n`);
        context.stderr(`${keyId} expires at ${oldEndsAt}\n`);
      }),
  );
}

const STATE_CHANGES = [
  { name: 'revoke', change: revokeKey, past: 'Revoked', summary: 'Permanently revoke an API key' },
  { name: 'disable', change: disableKey, past: 'Disabled', summary: 'Disable an API key' },
  { name: 'enable', change: enableKey, past: 'Enabled', summary: 'Enable a disabled API key' },
  {
    name: 'delete',
    change: deleteKey,
    past: 'Deleted',
    summary: 'Permanently revoke an API key and remove it from lists',
  },
] as const;

function addStateChanges(keys: Command, context: CliContext, random: Random): void {
  for (const { name, change, past, summary } of STATE_CHANGES) {
    keys
      .command(`${name} <key>`)
      .description(`${summary}, given its ID or the first characters shown in the list`)
      .action((idOrPrefix: string) =>
        withAccounts(context, random, async (deps) => {
          const { id: keyId, customerId } = await requireKey(deps, idOrPrefix);
          const outcome = await change(deps, { customerId, keyId }, COMMAND_LINE);
          if (outcome.kind === 'invalid') throw new CliError(outcome.detail);
          context.stderr(
            outcome.kind === 'unchanged' ? `${keyId} is already revoked\n` : `${past} ${keyId}\n`,
          );
        }),
      );
  }
}

async function requireKey({ db }: AccountsDeps, idOrPrefix: string): Promise<KeyRecord> {
  const keys = await findKeysByIdOrPrefix(db, idOrPrefix);
  const [key] = keys;
  if (key === undefined) throw new CliError(`no API key has the ID or prefix ${idOrPrefix}`);
  if (keys.length > 1) throw new CliError(`${keys.length} API keys have this prefix; use the ID`);
  return key;
}
