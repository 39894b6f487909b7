import { type Command, Option } from 'commander';
import { COMMAND_LINE } from '../../accounts/audit-log.ts';
import type { Role } from '../../accounts/permissions.ts';
import type { AccountsDeps } from '../../accounts/deps.ts';
import { readEmail } from '../../accounts/people/email.ts';
import { createPasswordReset } from '../../accounts/people/password-reset.ts';
import type { PersonRef } from '../../accounts/people/membership-store.ts';
import { createPerson, disablePerson, enablePerson } from '../../accounts/people/people.ts';
import { listAllPeople, type Person } from '../../accounts/people/person-store.ts';
import { removeSecondFactor } from '../../accounts/second-factor/second-factor.ts';
import { endAllSessions } from '../../accounts/sessions/sessions.ts';
import { listEndpointsOfPerson } from '../../webhooks/endpoint/webhook-endpoint.ts';
import { formatInstant } from '../../platform/instant.ts';
import { type Random, systemRandom } from '../../platform/random.ts';
import {
  expectKind,
  requireCustomer,
  withAccounts,
  withNewAccounts,
} from '../accounts/account-command.ts';
import { type CliCommand, type CliContext, CliError } from '../command.ts';
import { addJsonOption } from '../options.ts';
import { formatInstantOrNull, printRows } from '../print-rows.ts';

export const command: CliCommand = usersCommand(systemRandom());

export function usersCommand(random: Random): CliCommand {
  return {
    name: 'users',
    add(program, context) {
      const users = program
        .command('users')
        .description('Manage users: operators, and owners and members of customers');
      addList(users, context, random);
      addCreate(users, context, random);
      addReset(users, context, random);
      addStateChanges(users, context, random);
    },
  };
}

function addList(users: Command, context: CliContext, random: Random): void {
  const list = users.command('list').description('List users');
  addJsonOption(list).action(({ json }: { json?: boolean }) =>
    withAccounts(context, random, async ({ db }) => {
      const rows = (await listAllPeople(db)).map((person) => ({
        ...person,
        createdAt: formatInstantOrNull(person.createdAt),
        disabledAt: formatInstantOrNull(person.disabledAt),
      }));
      printRows(context, rows, {
        json,
        columns: {
          ID: (row) => row.id,
          EMAIL: (row) => row.email,
          ROLE: (row) => row.role,
          CUSTOMER: (row) => row.customerId,
          STATE: (row) =>
            row.disabledAt !== null ? 'disabled' : row.hasPassword ? 'active' : 'no password yet',
          'TWO-FACTOR': (row) => (row.hasSecondFactor ? 'yes' : 'no'),
        },
      });
    }),
  );
}

interface CreateFlags {
  role: Role;
  customer?: string;
}

function addCreate(users: Command, context: CliContext, random: Random): void {
  users
    .command('create <email>')
    .description('Create a user and print a one-time token to choose a password')
    .addOption(
      new Option('--role <role>', 'Role of the user')
        .choices(['operator', 'owner', 'member'])
        .makeOptionMandatory(),
    )
    .option('--customer <name>', 'Customer of an owner or member, by name or ID')
    .action((email: string, { role, customer: idOrName }: CreateFlags) =>
      withNewAccounts(context, random, async (deps) => {
        const customerId =
          idOrName === undefined ? null : (await requireCustomer(deps.db, idOrName)).id;
        if ((role === 'operator') !== (customerId === null)) {
          throw new CliError(
            '--customer is required for an owner or member, and not allowed for an operator',
          );
        }
        const outcome = await createPerson(deps, { customerId, email, role }, COMMAND_LINE);
        const { person } = expectKind(outcome, 'created', {
          'email-taken': `${email} is already a user of this customer, or an operator`,
        });
        await printReset(context, deps, person);
      }),
    );
}

function addReset(users: Command, context: CliContext, random: Random): void {
  users
    .command('reset-password <user>')
    .description('Print a one-time token to choose a new password')
    .option('--remove-second-factor', 'Also disable two-factor authentication, for a lost device')
    .action((user: string, flags: { removeSecondFactor?: boolean }) =>
      withAccounts(context, random, async (deps) => {
        const person = await requirePerson(deps, user);
        if (flags.removeSecondFactor === true) {
          await removeSecondFactor(deps, refOf(person), COMMAND_LINE);
          context.stderr(`Disabled two-factor authentication for ${person.email}\n`);
        }
        await printReset(context, deps, person);
      }),
    );
}

interface StateFlags {
  customer?: string;
  revokeKeys?: boolean;
}

function addStateChanges(users: Command, context: CliContext, random: Random): void {
  users
    .command('disable <user>')
    .description('Disable a user, end their sessions and list the API keys that they created')
    .option('--customer <name>', 'Customer, by name or ID, for a user of several')
    .option('--revoke-keys', 'Also revoke the API keys that the user created')
    .action((user: string, { revokeKeys = false, ...flags }: StateFlags) =>
      withAccounts(context, random, async (deps) => {
        const person = await requireMember(deps, user, flags);
        const { email } = person;
        const change = { ...refOf(person), revokeKeys };
        const { keys } = expectKind(await disablePerson(deps, change, COMMAND_LINE), 'changed', {
          'last-one': `${email} is the last active operator or owner; create another one first`,
        });
        context.stderr(`Disabled ${email}\n`);
        const state = revokeKeys ? 'revoked' : 'still active';
        for (const { id, prefix, last4, name } of keys) {
          context.stderr(`API key ${id} (${prefix}…${last4}) ${name} ${state}\n`);
        }
        for (const { id, url } of await listEndpointsOfPerson(deps.db, refOf(person))) {
          context.stderr(`Webhook endpoint ${id} (${url}) still active\n`);
        }
      }),
    );
  users
    .command('end-sessions <user>')
    .description('End all sessions of a user, who can sign in again')
    .action((user: string) =>
      withAccounts(context, random, async (deps) => {
        const person = await requirePerson(deps, user);
        const ended = await endAllSessions(deps, refOf(person), COMMAND_LINE);
        const { count } = expectKind(ended, 'ended');
        context.stderr(`Ended ${count} sessions of ${person.email}\n`);
      }),
    );
  users
    .command('enable <user>')
    .description('Enable a disabled user')
    .option('--customer <name>', 'Customer, by name or ID, for a user of several')
    .action((user: string, flags: StateFlags) =>
      withAccounts(context, random, async (deps) => {
        const person = await requireMember(deps, user, flags);
        expectKind(await enablePerson(deps, refOf(person), COMMAND_LINE), 'changed');
        context.stderr(`Enabled ${person.email}\n`);
      }),
    );
}

async function printReset(context: CliContext, deps: AccountsDeps, person: Person): Promise<void> {
  const reset = expectKind(await createPasswordReset(deps, refOf(person), COMMAND_LINE), 'made');
  const until = formatInstant(reset.expiresAt);
  context.stderr(
    `One-time token for ${person.email} to choose a password, valid until ${until}:\n`,
  );
  context.stdout(`${reset.token}\n`);
}

function refOf({ id: personId, customerId }: Person): PersonRef {
  return { personId, customerId };
}

/** Finds the only person with an email address or ID, in one of their memberships. */
async function requirePerson({ db }: AccountsDeps, user: string): Promise<Person> {
  const [person, ...rest] = await listAllPeople(db, readEmail(user)?.key ?? user);
  if (person === undefined) throw new CliError(`no user has the email address or ID ${user}`);
  if (rest.some(({ id }) => id !== person.id)) {
    const ids = [...new Set([person, ...rest].map(({ id }) => id))];
    throw new CliError(`several users have the address ${user}; name one by ID: ${ids.join(', ')}`);
  }
  return person;
}

/** Finds the only membership of the person, or that of the named customer. */
async function requireMember(
  deps: AccountsDeps,
  user: string,
  { customer: idOrName }: StateFlags,
): Promise<Person> {
  const { db } = deps;
  const { id } = await requirePerson(deps, user);
  const named = idOrName === undefined ? null : (await requireCustomer(db, idOrName)).id;
  const memberships = (await listAllPeople(db, id)).filter(
    ({ customerId }) => named === null || customerId === named,
  );
  const [member, ...rest] = memberships;
  if (member === undefined) throw new CliError(`${user} is not a user of ${idOrName ?? ''}`);
  if (rest.length > 0) throw new CliError(`${user} is a user of several customers: add --customer`);
  return member;
}
