import { type Command, Option } from 'commander';
import { COMMAND_LINE } from '../../accounts/audit-log.ts';
import type { Role } from '../../accounts/permissions.ts';
import { findCustomer, findCustomerByName } from '../../accounts/customers/customer-store.ts';
import type { AccountsDeps } from '../../accounts/deps.ts';
import { readEmail } from '../../accounts/people/email.ts';
import { createPasswordReset } from '../../accounts/people/password-reset.ts';
import { createPerson, disablePerson, enablePerson } from '../../accounts/people/people.ts';
import {
  findPersonByEmail,
  listAllPeople,
  type Person,
} from '../../accounts/people/person-store.ts';
import { removeSecondFactor } from '../../accounts/second-factor/second-factor.ts';
import { formatInstant } from '../../platform/instant.ts';
import { type Random, systemRandom } from '../../platform/random.ts';
import {
  addJsonOption,
  expectKind,
  printRows,
  shownInstant,
  withAccounts,
  withFirstAccounts,
} from '../accounts/account-command.ts';
import { type CliCommand, type CliContext, CliError } from '../command.ts';

export const command: CliCommand = usersCommand(systemRandom());

/** People who sign in: operators, and owners and members of customers. */
export function usersCommand(random: Random): CliCommand {
  return {
    name: 'users',
    add(program, context) {
      const users = program
        .command('users')
        .description('People who sign in: operators, and those of customers.');
      addList(users, context, random);
      addCreate(users, context, random);
      addReset(users, context, random);
      addDisable(users, context, random);
    },
  };
}

function addList(users: Command, context: CliContext, random: Random): void {
  const list = users.command('list').description('Everybody who may sign in.');
  addJsonOption(list).action(({ json }: { json?: boolean }) =>
    withAccounts(context, random, async ({ db }) => {
      const rows = (await listAllPeople(db)).map((person) => ({
        ...person,
        createdAt: shownInstant(person.createdAt),
        disabledAt: shownInstant(person.disabledAt),
      }));
      printRows(context, rows, {
        json,
        columns: {
          EMAIL: (row) => row.email,
          ROLE: (row) => row.role,
          CUSTOMER: (row) => row.customerId,
          STATE: (row) =>
            row.disabledAt !== null ? 'disabled' : row.hasPassword ? 'active' : 'no password yet',
          'SECOND FACTOR': (row) => (row.hasSecondFactor ? 'yes' : 'no'),
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
    .description('Add a person, and print the token with which they choose their password.')
    .addOption(
      new Option('--role <role>', 'what they may do')
        .choices(['operator', 'owner', 'member'])
        .makeOptionMandatory(),
    )
    .option('--customer <name>', 'whose owner or member they are, by name or id')
    .action((email: string, { role, customer }: CreateFlags) =>
      withFirstAccounts(context, random, async (deps) => {
        const customerId = customer === undefined ? null : await findCustomerId(deps, customer);
        if ((role === 'operator') !== (customerId === null)) {
          throw new CliError('name the --customer of an owner or member, and none for an operator');
        }
        const created = await createPerson(deps, { customerId, email, role }, COMMAND_LINE);
        const { person } = expectKind(created, 'created', {
          'email-taken': `somebody has the address ${email}`,
        });
        await printReset(context, deps, person);
      }),
    );
}

function addReset(users: Command, context: CliContext, random: Random): void {
  users
    .command('reset-password <email>')
    .description('Print a token with which a person chooses a new password, once.')
    .option('--remove-second-factor', 'ask them for no code any more: their device is lost')
    .action((email: string, flags: { removeSecondFactor?: boolean }) =>
      withAccounts(context, random, async (deps) => {
        const person = await findNamed(deps, email);
        if (flags.removeSecondFactor === true) {
          await removeSecondFactor(deps, person.id, COMMAND_LINE);
          context.stderr(`${person.email} is asked for no code any more\n`);
        }
        await printReset(context, deps, person);
      }),
    );
}

function addDisable(users: Command, context: CliContext, random: Random): void {
  for (const { name, act, done, sentence } of [
    {
      name: 'disable',
      act: disablePerson,
      done: 'may sign in no more',
      sentence: 'End all sessions of a person, who may sign in no more.',
    },
    {
      name: 'enable',
      act: enablePerson,
      done: 'may sign in again',
      sentence: 'Let a disabled person sign in again.',
    },
  ]) {
    users
      .command(`${name} <email>`)
      .description(sentence)
      .action((email: string) =>
        withAccounts(context, random, async (deps) => {
          const { id: personId, customerId } = await findNamed(deps, email);
          expectKind(await act(deps, { customerId, personId }, COMMAND_LINE), 'changed', {
            'last-one': `${email} is the last who can run this; make another one first`,
          });
          context.stderr(`${email} ${done}\n`);
        }),
      );
  }
}

async function printReset(context: CliContext, deps: AccountsDeps, person: Person): Promise<void> {
  const reset = expectKind(await createPasswordReset(deps, person.id, COMMAND_LINE), 'made');
  const until = formatInstant(reset.expiresAt);
  context.stderr(`${person.email} chooses a password with this token, once, until ${until}:\n`);
  context.stdout(`${reset.token}\n`);
}

async function findNamed({ db }: AccountsDeps, email: string): Promise<Person> {
  const found = await findPersonByEmail(db, readEmail(email)?.key ?? '');
  if (found === null) throw new CliError(`nobody has the address ${email}`);
  return found;
}

async function findCustomerId({ db }: AccountsDeps, named: string): Promise<string> {
  const found = (await findCustomer(db, named)) ?? (await findCustomerByName(db, named));
  if (found === null) throw new CliError(`no customer has the id or name ${named}`);
  return found.id;
}
