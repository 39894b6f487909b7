import { type Command, Option } from 'commander';
import { COMMAND_LINE } from '../../accounts/audit-log.ts';
import {
  recoverEndpoint,
  redeliverDelivery,
  sendTest,
} from '../../webhooks/queue/delivery-actions.ts';
import { type DeliveryRecord, listDeliveries } from '../../webhooks/log/delivery-log.ts';
import { DELIVERY_STATES, type DeliveryState } from '../../webhooks/log/log-query.ts';
import { RECOVER_DAYS_MAX } from '../../webhooks/queue/redeliver.ts';
import type { WebhookDeps } from '../../webhooks/webhook-deps.ts';
import { parseSymbol } from '../../domain/symbol.ts';
import { type Instant, parseInstant } from '../../platform/instant.ts';
import type { Random } from '../../platform/random.ts';
import { addJsonOption, printRows, shownInstant } from '../accounts/account-command.ts';
import { type CliContext, CliError } from '../command.ts';
import { acted, endpointNamed, withWebhooks } from './webhook-command.ts';

/** What was sent, and what is sent by hand. */
export function addDeliveryCommands(webhooks: Command, context: CliContext, random: Random): void {
  addLog(webhooks, context, random);
  addRedeliver(webhooks, context, random);
  addRecover(webhooks, context, random);
  addTest(webhooks, context, random);
}

interface LogFlags {
  state?: DeliveryState;
  symbol?: string;
  limit: string;
  json?: boolean;
}

function addLog(webhooks: Command, context: CliContext, random: Random): void {
  const log = webhooks
    .command('deliveries <endpoint>')
    .description('The newest deliveries to an endpoint.')
    .addOption(new Option('--state <state>', 'only those in it').choices(DELIVERY_STATES))
    .option('--symbol <symbol>', 'only those about one company')
    .option('--limit <rows>', 'at most 100', '20');
  addJsonOption(log).action((endpoint: string, { state, json, ...flags }: LogFlags) =>
    withWebhooks(context, random, async (deps) => {
      const of = await endpointNamed(deps, endpoint);
      const limit = readLimit(flags.limit);
      const symbol = flags.symbol === undefined ? undefined : readSymbol(flags.symbol);
      const states = state === undefined ? undefined : [state];
      const found = await listDeliveries(deps.db, { ...of, states, symbol, limit });
      printRows(context, found.map(toRow), {
        json,
        columns: {
          ID: (row) => row.id,
          SYMBOL: (row) => row.symbol,
          STATE: (row) => (row.test ? `${row.state} (test)` : row.state),
          TRIES: (row) => row.attemptCount,
          STATUS: (row) => row.responseStatus,
          ERROR: (row) => row.lastErrorCode,
          OPENED: (row) => row.createdAt,
          NEXT: (row) => row.nextAttemptAt,
        },
      });
    }),
  );
}

function readLimit(text: string): number {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= 100) return limit;
  throw new CliError('--limit takes a whole number from 1 to 100');
}

function readSymbol(text: string): string {
  const symbol = parseSymbol(text);
  if (symbol === null) throw new CliError(`${text} is no ticker symbol`);
  return symbol;
}

function toRow(record: DeliveryRecord) {
  return {
    ...record,
    createdAt: shownInstant(record.createdAt),
    firstAttemptAt: shownInstant(record.firstAttemptAt),
    nextAttemptAt: shownInstant(record.nextAttemptAt),
    deliveredAt: shownInstant(record.deliveredAt),
  };
}

function addRedeliver(webhooks: Command, context: CliContext, random: Random): void {
  const command = webhooks
    .command('redeliver <delivery>')
    .description('Send again what a finished delivery was about, with the data of now.');
  addJsonOption(command).action((deliveryId: string, { json }: { json?: boolean }) =>
    withWebhooks(context, random, async (deps) => {
      const customerId = await ownerOf(deps, deliveryId);
      const outcome = await redeliverDelivery(deps, { customerId, deliveryId }, COMMAND_LINE);
      if (outcome.kind !== 'opened') throw new CliError(WHY_NOT[outcome.kind]);
      const { id, isHeld } = outcome;
      context.stdout(json === true ? `${JSON.stringify({ id, isHeld }, null, 2)}\n` : `${id}\n`);
      if (isHeld) context.stderr('the endpoint is disabled: it is held until it is enabled\n');
    }),
  );
}

const WHY_NOT = {
  'not-found': 'its endpoint was removed',
  'not-finished': 'it is not finished: it is sent by itself',
  'not-subscribed': 'the endpoint is not subscribed to this company any more',
} as const;

function addRecover(webhooks: Command, context: CliContext, random: Random): void {
  const command = webhooks
    .command('recover <endpoint>')
    .description('Send again, with the data of now, what was not answered 2xx since an instant.')
    .requiredOption(
      '--since <when>',
      `such as 6h, 2d or 2026-11-20T15:00:00Z; ${RECOVER_DAYS_MAX}d at most`,
    );
  type Flags = { since: string; json?: boolean };
  addJsonOption(command).action((endpoint: string, { since, json }: Flags) =>
    withWebhooks(context, random, async (deps) => {
      const of = await endpointNamed(deps, endpoint);
      const options = { ...of, since: readSince(since, deps.clock.now()) };
      const { count } = acted(await recoverEndpoint(deps, options, COMMAND_LINE), 'opened');
      context.stdout(
        json === true
          ? `${JSON.stringify({ opened: count }, null, 2)}\n`
          : `${count} ${count === 1 ? 'delivery' : 'deliveries'} opened\n`,
      );
    }),
  );
}

function addTest(webhooks: Command, context: CliContext, random: Random): void {
  const command = webhooks
    .command('test <endpoint>')
    .description('Send one delivery with the data that a company has now; it is tried once.')
    .option('--template <id>', 'of what it tells', 'earnings_schedule')
    .option('--symbol <symbol>', 'of which company (default: one that it is subscribed to)');
  type Flags = { template: string; symbol?: string; json?: boolean };
  addJsonOption(command).action((endpoint: string, { template, symbol, json }: Flags) =>
    withWebhooks(context, random, async (deps) => {
      const options = { ...(await endpointNamed(deps, endpoint)), templateId: template, symbol };
      const outcome = acted(await sendTest(deps, options, COMMAND_LINE), 'opened');
      const shown = { id: outcome.id, symbol: outcome.symbol };
      context.stdout(json === true ? `${JSON.stringify(shown, null, 2)}\n` : `${shown.id}\n`);
      context.stderr(`see how it went: afterbell webhooks deliveries ${endpoint}\n`);
    }),
  );
}

async function ownerOf({ db }: WebhookDeps, deliveryId: string): Promise<string> {
  // At most one row, by the primary key.
  const [row] = await db.query<{ customer_id: string }>(
    'select customer_id from delivery where id = $1',
    [deliveryId],
  );
  if (row === undefined) throw new CliError(`no delivery has the id ${deliveryId}`);
  return row.customer_id;
}

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

function readSince(text: string, now: Instant): Instant {
  const [, count, unit] = /^(\d{1,4})([mhd])$/.exec(text) ?? [];
  const since =
    count === undefined ? parseInstant(text) : now - Number(count) * UNITS_MS[unit as 'm'];
  if (since === null || since > now) {
    throw new CliError(`${text} is no past time: 6h, 2d or 2026-11-20T15:00:00Z`);
  }
  if (since < now - RECOVER_DAYS_MAX * UNITS_MS.d) {
    throw new CliError(`${text} is too long ago: ${RECOVER_DAYS_MAX}d at most`);
  }
  return since;
}
