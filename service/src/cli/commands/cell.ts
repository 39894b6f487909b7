import { type Command, Option } from 'commander';
import { readCellName } from '../../storage/cells/cell-marker.ts';
import { CellError, initCell } from '../../storage/cells/init-cell.ts';
import { type CellState, loadCellState } from '../../storage/cells/cell-state.ts';
import { loadSlots, type Slot } from '../../storage/cells/publication.ts';
import type { Db } from '../../storage/db.ts';
import { openPostgres } from '../../storage/engines/postgres/postgres.ts';
import { moveToCell } from '../cells/move-cell.ts';
import { type CliCommand, type CliContext, CliError } from '../command.ts';
import { addJsonOption } from '../options.ts';
import { requirePostgres } from '../roles/role.ts';

const NAME = /^[a-z][a-z0-9_]{0,39}$/;

export const command: CliCommand = {
  name: 'cell',
  add(program, context) {
    const cell = program
      .command('cell')
      .description('Manage cells: stores that receive the facts and have customers of their own');
    addInit(cell, context);
    addStatus(cell, context);
    addMove(cell, context);
    addRoutes(cell, context);
  },
};

function addInit(cell: Command, context: CliContext): void {
  cell
    .command('init <name>')
    .description('Make the empty database in DATABASE_URL a cell, and copy the facts to it')
    .addHelpText(
      'after',
      '\nRepeat it to continue after an interruption, to change GATHERING_DATABASE_URL, and after an\n' +
        'upgrade of both stores.',
    )
    .action((name: string) => init(context, name));
}

async function init(context: CliContext, name: string): Promise<void> {
  if (!NAME.test(name)) {
    throw new CliError(
      `${name} cannot be the name of a cell: use up to 40 lower-case letters, digits and _`,
    );
  }
  requirePostgres('cell init', context.settings());
  await withGathering(context, async (gathering, gatheringUrl) => {
    const { db, close } = await context.openStore({ mayCreate: true });
    try {
      await initCell({
        cell: db,
        gathering,
        gatheringUrl,
        name,
        clock: context.clock,
        onProgress: (missing) => {
          if (missing > 0) context.stderr(`copying facts: ${missing} tables left\n`);
        },
      });
    } catch (error) {
      throw error instanceof CellError ? new CliError(error.message) : error;
    } finally {
      await close();
    }
  });
  context.stdout(
    `The cell ${name} has all facts. Start afterbell serve and afterbell work on it.\n`,
  );
}

function addStatus(cell: Command, context: CliContext): void {
  const status = cell
    .command('status')
    .description(
      'Show how well the cell follows, and what the gathering store keeps for each cell',
    );
  addJsonOption(status).action(({ json }: { json?: boolean }) =>
    showStatus(context, json === true),
  );
}

async function showStatus(context: CliContext, isJson: boolean): Promise<void> {
  const settings = context.settings();
  requirePostgres('cell status', settings);
  const { db, close } = await context.openStore();
  try {
    const state = await loadCellState(db, { lagMsMax: settings.cellLagSeconds * 1_000 });
    const slots =
      settings.gatheringDatabaseUrl === null ? null : await withGathering(context, loadSlots);
    if (state === null && slots === null) throw new CliError(NOT_A_CELL);
    if (isJson) context.stdout(`${JSON.stringify({ cell: state, slots })}\n`);
    else context.stdout(renderState(state) + (slots ?? []).map(renderSlot).join(''));
    if (state !== null && state.condition !== 'following') {
      throw new CliError(`the cell ${state.name} does not follow the gathering store`);
    }
  } finally {
    await close();
  }
}

function addMove(cell: Command, context: CliContext): void {
  cell
    .command('move <customer>')
    .description('Move a customer from this cell to the one in TARGET_DATABASE_URL')
    .option('--url <url>', 'Public address of the new cell, for clients that use the old one')
    .option('--abort', 'Keep the customer on this cell, if it has not moved yet')
    .addHelpText(
      'after',
      '\nIf it is interrupted, repeat it, or abort it. At no time do both cells serve the customer.',
    )
    .action((customer: string, flags: { url?: string; abort?: boolean }) =>
      moveToCell(context, customer, flags),
    );
}

function addRoutes(cell: Command, context: CliContext): void {
  cell
    .command('routes')
    .description('Print the API keys of this cell for the map of a proxy')
    .addHelpText(
      'after',
      '\nA line has the first 13 and the last 4 characters of a key, and the cell. See docs/cells.md.',
    )
    .addOption(
      new Option('--format <format>', 'Format of the lines')
        .choices(['nginx', 'caddy'])
        .default('nginx'),
    )
    .action(({ format }: { format: string }) => showRoutes(context, format));
}

async function showRoutes(context: CliContext, format: string): Promise<void> {
  const { db, close } = await context.openStore();
  try {
    const name = await readCellName(db);
    if (name === null) throw new CliError(NOT_A_CELL);
    const end = format === 'nginx' ? ';' : '';
    // Returns one row per usable key.
    const keys = await db.query<{ id: string }>(
      `select k.prefix || k.last4 as id from api_key k join customer c on c.id = k.customer_id
        where k.revoked_at is null and c.deleted_at is null and c.move_state is distinct from 'moved'
        order by 1`,
    );
    context.stdout(keys.map(({ id }) => `${id} ${name}${end}\n`).join(''));
  } finally {
    await close();
  }
}

const NOT_A_CELL =
  'this store is not a cell: run afterbell cell init, or set DATABASE_URL to the store of the cell';

function renderState(state: CellState | null): string {
  if (state === null) return '';
  const { name, condition, lagMs, newestChangeId, customerCount, applyErrorCount } = state;
  const lag = lagMs === null ? 'unknown' : `${(lagMs / 1_000).toFixed(1)} s`;
  const lines = [
    ['cell', name],
    ['condition', condition],
    ['lag', lag],
    ['newest change', String(newestChangeId)],
    ['customers', String(customerCount)],
    ['apply errors', String(applyErrorCount)],
    ...(state.gap === null ? [] : [['gap', state.gap.detail]]),
    ...(state.missingTables.length === 0 ? [] : [['missing', state.missingTables.join(', ')]]),
  ];
  return lines.map(([label = '', value = '']) => `${label.padEnd(14)} ${value}\n`).join('');
}

function renderSlot({ name, isActive, keptBytes }: Slot): string {
  const kept = `${(keptBytes / 1_048_576).toFixed(1)} MB kept`;
  return `${name.padEnd(30)} ${isActive ? 'connected' : 'not connected'}, ${kept}\n`;
}

/** Opens the gathering store, runs `work` with it and closes it. */
async function withGathering<T>(
  context: CliContext,
  work: (gathering: Db, url: string) => Promise<T>,
): Promise<T> {
  const { gatheringDatabaseUrl: url } = context.settings();
  if (url === null) {
    throw new CliError('set GATHERING_DATABASE_URL to the store that ingests');
  }
  const gathering = openPostgres({ url, poolSize: 2 });
  try {
    return await work(gathering, url);
  } finally {
    await gathering.close();
  }
}
