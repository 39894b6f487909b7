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
import { expectKind } from '../accounts/account-command.ts';
import { type CliContext, CliError } from '../command.ts';
import { addJsonOption, parseDurationMs } from '../options.ts';
import { formatInstantOrNull, printRows } from '../print-rows.ts';
import { requireEndpoint, withWebhooks } from './webhook-command.ts';

/** Adds commands that list deliveries and send them manually. */
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
    .description('List the latest deliveries to an endpoint')
    .addOption(
      new Option('--state <state>', 'Only deliveries in this state').choices(DELIVERY_STATES),
    )
    .option('--symbol <symbol>', 'Only deliveries about this symbol')
    .option('--limit <rows>', 'Maximum number of deliveries, up to 100', '20');
  addJsonOption(log).action((endpointId: string, { state, json, ...flags }: LogFlags) =>
    withWebhooks(context, random, async (deps) => {
      const endpoint = await requireEndpoint(deps, endpointId);
      const limit = readLimit(flags.limit);
      const symbol = flags.symbol === undefined ? undefined : readSymbol(flags.symbol);
      const states = state === undefined ? undefined : [state];
      const deliveries = await listDeliveries(deps.db, { ...endpoint, states, symbol, limit });
      printRows(context, deliveries.map(toRow), {
        json,
        columns: {
          ID: (row) => row.id,
          SYMBOL: (row) => row.symbol,
          STATE: (row) => (row.test ? `${row.state} (test)` : row.state),
          ATTEMPTS: (row) => row.attemptCount,
          STATUS: (row) => row.responseStatus,
          ERROR: (row) => row.lastErrorCode,
          CREATED: (row) => row.createdAt,
          'NEXT ATTEMPT': (row) => row.nextAttemptAt,
        },
      });
    }),
  );
}

function readLimit(text: string): number {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= 100) return limit;
  throw new CliError('--limit must be a whole number from 1 to 100');
}

function readSymbol(text: string): string {
  const symbol = parseSymbol(text);
  if (symbol === null) throw new CliError(`${text} is not a ticker symbol`);
  return symbol;
}

function toRow(record: DeliveryRecord) {
  return {
    ...record,
    createdAt: formatInstantOrNull(record.createdAt),
    firstAttemptAt: formatInstantOrNull(record.firstAttemptAt),
    nextAttemptAt: formatInstantOrNull(record.nextAttemptAt),
    deliveredAt: formatInstantOrNull(record.deliveredAt),
  };
}

function addRedeliver(webhooks: Command, context: CliContext, random: Random): void {
  const command = webhooks
    .command('redeliver <delivery>')
    .description('Send a finished delivery again, with current data');
  addJsonOption(command).action((deliveryId: string, { json }: { json?: boolean }) =>
    withWebhooks(context, random, async (deps) => {
      const customerId = await loadCustomerId(deps, deliveryId);
      const outcome = await redeliverDelivery(deps, { customerId, deliveryId }, COMMAND_LINE);
      if (outcome.kind !== 'opened') throw new CliError(REDELIVER_ERRORS[outcome.kind]);
      const { id, isHeld } = outcome;
      context.stdout(json === true ? `${JSON.stringify({ id, isHeld }, null, 2)}\n` : `${id}\n`);
      if (isHeld)
        context.stderr('The endpoint is disabled: the delivery is held until you enable it.\n');
    }),
  );
}

const REDELIVER_ERRORS = {
  'not-found': 'the endpoint was removed',
  'not-finished': 'the delivery is not finished; it is sent automatically',
  'not-subscribed': 'the endpoint is no longer subscribed to this symbol',
} as const;

function addRecover(webhooks: Command, context: CliContext, random: Random): void {
  const command = webhooks
    .command('recover <endpoint>')
    .description(
      'Send all deliveries again that have failed since a point in time, with current data',
    )
    .requiredOption(
      '--since <when>',
      `Start time: 6h, 2d or an RFC 3339 instant, at most ${RECOVER_DAYS_MAX}d ago`,
    );
  type Flags = { since: string; json?: boolean };
  addJsonOption(command).action((endpointId: string, { since, json }: Flags) =>
    withWebhooks(context, random, async (deps) => {
      const endpoint = await requireEndpoint(deps, endpointId);
      const options = { ...endpoint, since: readSince(since, deps.clock.now()) };
      const { count } = expectKind(await recoverEndpoint(deps, options, COMMAND_LINE), 'opened');
      context.stdout(
        json === true
          ? `${JSON.stringify({ opened: count }, null, 2)}\n`
          : `Queued ${count} ${count === 1 ? 'delivery' : 'deliveries'}\n`,
      );
    }),
  );
}

function addTest(webhooks: Command, context: CliContext, random: Random): void {
  const command = webhooks
    .command('test <endpoint>')
    .description('Send a test delivery with current data; it is not retried')
    .option('--template <id>', 'Webhook template', 'earnings_schedule')
    .option('--symbol <symbol>', 'Symbol (default: one the endpoint is subscribed to)');
  type Flags = { template: string; symbol?: string; json?: boolean };
  addJsonOption(command).action((endpointId: string, { template, symbol, json }: Flags) =>
    withWebhooks(context, random, async (deps) => {
      const endpoint = await requireEndpoint(deps, endpointId);
      const options = { ...endpoint, templateId: template, symbol };
      const outcome = expectKind(await sendTest(deps, options, COMMAND_LINE), 'opened');
      const result = { id: outcome.id, symbol: outcome.symbol };
      context.stdout(json === true ? `${JSON.stringify(result, null, 2)}\n` : `${result.id}\n`);
      context.stderr(`See the result with: afterbell webhooks deliveries ${endpointId}\n`);
    }),
  );
}

async function loadCustomerId({ db }: WebhookDeps, deliveryId: string): Promise<string> {
  const [row] = await db.query<{ customer_id: string }>(
    'select customer_id from delivery where id = $1',
    [deliveryId],
  );
  if (row === undefined) throw new CliError(`no delivery has the ID ${deliveryId}`);
  return row.customer_id;
}

const RECOVER_MS_MAX = RECOVER_DAYS_MAX * 86_400_000;

function readSince(text: string, now: Instant): Instant {
  const durationMs = parseDurationMs(text);
  const since = durationMs === null ? parseInstant(text) : now - durationMs;
  if (since === null || since > now) {
    throw new CliError(`${text} is not a past time; use 6h, 2d or 2026-11-20T15:00:00Z`);
  }
  if (since < now - RECOVER_MS_MAX) {
    throw new CliError(`${text} is too long ago: ${RECOVER_DAYS_MAX}d at most`);
  }
  return since;
}
