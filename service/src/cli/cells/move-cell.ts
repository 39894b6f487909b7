import { abortMove, moveCustomer, type MoveStep } from '../../app/cell-moves/move-customer.ts';
import { webhookFacts } from '../../app/webhook-facts.ts';
import { systemRandom } from '../../platform/random.ts';
import { CellError } from '../../storage/cells/init-cell.ts';
import type { Db } from '../../storage/db.ts';
import { openPostgres } from '../../storage/engines/postgres/postgres.ts';
import { type CliContext, CliError } from '../command.ts';

const TOKEN_BYTES = 12;

const PROGRESS: Partial<Record<MoveStep, string>> = {
  leaving: 'no new deliveries are sent; waiting for those in flight',
  closing: 'requests are rejected while the customer is handed over',
  active: 'the new cell has the customer; copying its history',
};

interface Flags {
  url?: string;
  abort?: boolean;
}

/** Moves a customer to the cell in TARGET_DATABASE_URL, or aborts the move. */
export async function moveToCell(
  context: CliContext,
  customer: string,
  { url, abort }: Flags,
): Promise<void> {
  const settings = context.settings();
  const { targetDatabaseUrl } = settings;
  if (targetDatabaseUrl === null) {
    throw new CliError('set TARGET_DATABASE_URL to the database of the new cell');
  }
  const { db: from, close } = await context.openStore();
  const to = openPostgres({ url: targetDatabaseUrl });
  try {
    const customerId = await customerIdOf(from, customer);
    if (abort === true) {
      await abortMove({ from, to, customerId });
      context.stdout(`${customerId} stays on this cell.\n`);
      return;
    }
    const { closedMs } = await moveCustomer({
      from,
      to,
      customerId,
      toUrl: url ?? null,
      clock: context.clock,
      webhooks: webhookFacts(settings),
      token: Buffer.from(systemRandom().bytes(TOKEN_BYTES)).toString('base64url'),
      onStep: (step) => {
        const text = PROGRESS[step];
        if (text !== undefined) context.stderr(`${text}\n`);
      },
    });
    const closed = closedMs === null ? '' : `, after ${Math.round(closedMs)} ms without requests`;
    context.stdout(`Moved ${customerId}${closed}.\n`);
  } catch (error) {
    throw error instanceof CellError ? new CliError(error.message) : error;
  } finally {
    await to.close();
    await close();
  }
}

/** Also finds a customer that has moved, so that its move can be finished. */
async function customerIdOf(db: Db, idOrName: string): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    `select id from customer
      where (id = $1 or name = $1) and (deleted_at is null or move_state = 'moved')
      order by deleted_at is null desc limit 1`,
    [idOrName],
  );
  if (row === undefined) throw new CliError(`no customer has the ID or name ${idOrName}`);
  return row.id;
}
