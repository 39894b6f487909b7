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
import {
  addJsonOption,
  expectKind,
  readExpiry,
  readList,
  shownInstant,
  withAccounts,
  withFirstAccounts,
} from '../accounts/account-command.ts';
import { type CliCommand, type CliContext, CliError } from '../command.ts';
import { addKeyList } from '../accounts/key-list.ts';

export const command: CliCommand = keysCommand(systemRandom());

/** Keys of readers: made, listed, rolled, ended. */
export function keysCommand(random: Random): CliCommand {
  return {
    name: 'keys',
    add(program, context) {
      const keys = program.command('keys').description('API keys of those who read.');
      addCreate(keys, context, random);
      addKeyList(keys, context, random);
      addRoll(keys, context, random);
      addEnds(keys, context, random);
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
    .description('Make a key and print it: the only time it is seen.')
    .option('--plan <plan>', 'what its customer may use (default: free, or the plan it is on)')
    .option(
      '--customer <name>',
      'whose key it is, made when new; without it, a customer of its own',
    )
    .option('--name <name>', 'what the key is called')
    .option('--scopes <list>', 'read, manage or both (default: read)')
    .option('--allow <blocks>', 'addresses it may be used from, such as 192.0.2.0/24,2001:db8::/32')
    .option('--expires <when>', '30d, 12h, or an instant (default: never)');
  addJsonOption(create).action((flags: CreateFlags) =>
    withFirstAccounts(context, random, async (deps) => {
      // A sandbox's keys say so, lest one is taken for a key to real data.
      const kind = (await readMarker(deps.db, 'kind')) === 'sandbox' ? 'test' : 'live';
      const terms = readFlags(flags, context);
      const made = await deps.db.transaction(async (tx) => {
        const customerId = await findOrCreateCustomer(tx, deps, flags);
        const options = { customerId, kind, ...terms } as const;
        return expectKind(await createKeyInTransaction(tx, deps, options, COMMAND_LINE), 'created');
      });
      const { key, record } = made;
      const shown = { key, id: record.id, customerId: record.customerId };
      context.stdout(flags.json === true ? `${JSON.stringify(shown, null, 2)}\n` : `${key}\n`);
    }),
  );
}

function readFlags(flags: CreateFlags, context: CliContext): KeySettingsInput {
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
  const found = await findCustomerByName(tx, name);
  if (found === null) {
    const wanted = { name, plan: flags.plan ?? 'free' };
    return expectKind(await createCustomerInTransaction(tx, deps, wanted, COMMAND_LINE), 'created')
      .customer.id;
  }
  const { id, plan } = found;
  if (flags.plan !== undefined && flags.plan !== plan.name) {
    throw new CliError(
      `customer ${name} is on plan ${plan.name}: leave out --plan, or move it with ` +
        `afterbell customers plan ${id} ${flags.plan}`,
    );
  }
  return id;
}

function addRoll(keys: Command, context: CliContext, random: Random): void {
  const roll = keys
    .command('roll <key>')
    .description('Make a key in the place of another, and print it: the only time it is seen.')
    .addOption(
      new Option('--grace <time>', 'how long the old one goes on')
        .choices(Object.keys(GRACE_MS))
        .default('24h'),
    );
  addJsonOption(roll).action((name: string, { grace, json }: { grace: Grace; json?: boolean }) =>
    withAccounts(context, random, async (deps) => {
      const { id: keyId, customerId } = await findNamed(deps, name);
      const rolled = expectKind(
        await rollKey(deps, { customerId, keyId, grace }, COMMAND_LINE),
        'rolled',
        { 'not-active': `${keyId} is revoked, expired, disabled or was rolled before` },
      );
      const oldEndsAt = shownInstant(rolled.oldEndsAt);
      const shown = { key: rolled.key, id: rolled.id, customerId, oldEndsAt };
      context.stdout(json === true ? `${JSON.stringify(shown, null, 2)}\n` : `${rolled.key}\n`);
      context.stderr(`${keyId} ends at ${oldEndsAt}\n`);
    }),
  );
}

const ENDS = [
  { name: 'revoke', act: revokeKey, done: 'is revoked', sentence: 'End a key for good.' },
  { name: 'disable', act: disableKey, done: 'is disabled', sentence: 'Refuse a key for a while.' },
  { name: 'enable', act: enableKey, done: 'is enabled', sentence: 'Accept a disabled key again.' },
  {
    name: 'delete',
    act: deleteKey,
    done: 'is deleted',
    sentence: 'End a key for good and list it no more.',
  },
] as const;

function addEnds(keys: Command, context: CliContext, random: Random): void {
  for (const { name, act, done, sentence } of ENDS) {
    keys
      .command(`${name} <key>`)
      .description(`${sentence} Named by its id or the first characters shown in the list.`)
      .action((key: string) =>
        withAccounts(context, random, async (deps) => {
          const { id: keyId, customerId } = await findNamed(deps, key);
          const outcome = await act(deps, { customerId, keyId }, COMMAND_LINE);
          if (outcome.kind === 'invalid') throw new CliError(outcome.detail);
          context.stderr(
            `${keyId} ${outcome.kind === 'unchanged' ? 'was revoked before' : done}\n`,
          );
        }),
      );
  }
}

async function findNamed(deps: AccountsDeps, name: string): Promise<KeyRecord> {
  const named = await findKeysByIdOrPrefix(deps.db, name);
  const [key] = named;
  if (key === undefined) throw new CliError(`no key has the id or prefix ${name}`);
  if (named.length > 1) throw new CliError(`${named.length} keys begin so: use the id`);
  return key;
}
