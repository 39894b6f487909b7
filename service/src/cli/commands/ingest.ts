import type { Command } from 'commander';
import { COMMAND_LINE, recordAuditEvent } from '../../accounts/audit-log.ts';
import { moveFutureBack } from '../../datasets/versions/clock-lead.ts';
import { startIngest } from '../../app/app.ts';
import type { Settings } from '../../config/settings.ts';
import { systemRandom } from '../../platform/random.ts';
import { addDays, type LocalDate } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import { type CliCommand, type CliContext, CliError } from '../command.ts';
import { dayOption } from '../options.ts';
import { openProcess, requirePostgres } from '../roles/role.ts';
import { showWatchProgress } from '../roles/watch-lines.ts';
import { addSettingOptions } from '../setting-options.ts';
import {
  type IngestionOptions,
  type IngestionResult,
  runIngestion,
} from '../sources/run-ingestion.ts';
import { redistributionNote, termsLines } from '../sources/terms-note.ts';

/** Exit code if some requests got no response. The same command retries them. */
const EXIT_INCOMPLETE = 2;
const EXIT_HELP =
  '\nExit codes: 0 all responses are stored, 1 failure, 2 some requests got no response yet.';

export const command: CliCommand = {
  name: 'ingest',
  add(program, context) {
    const ingest = program
      .command('ingest')
      .description(
        'Run only the ingestion, with other processes on the same PostgreSQL; or ingest once with ' +
          'a subcommand',
      );
    addSettingOptions(ingest).action((flags: Record<string, unknown>) =>
      run(context, context.settings(flags)),
    );
    addRun(ingest, context);
    addBackfill(ingest, context);
    addResetAhead(ingest, context);
  },
};

/**
 * Ingests until the process receives a signal. If several such processes run, each source is
 * ingested by one of them; another takes over when that process stops or no longer renews its
 * lease.
 */
async function run(context: CliContext, settings: Settings): Promise<void> {
  requirePostgres('ingest', settings);
  const running = openProcess(context, settings);
  const { shutdown } = running;
  const role = await startIngest({ ...running, kind: null });
  if (role.sources.length === 0) {
    throw new CliError('no sources to ingest: use --sources, or set SOURCES');
  }
  context.stderr(termsLines(role.sources));
  context.stderr(await redistributionNote(role.db, role.sources));
  try {
    await role.feed(showWatchProgress(context, { log: running.log, settings, url: null }));
    if (!shutdown.signal.aborted) {
      role.markReady();
      context.stdout('ready ingest\n');
    }
  } catch (error) {
    // A shutdown during the first ingestion closes the store, so this error is expected.
    if (!shutdown.signal.aborted) throw error;
  }
  await shutdown.done;
}

interface Flags {
  source?: string;
  feed?: string;
  json?: boolean;
}

function addRun(ingest: Command, context: CliContext): void {
  addCommonOptions(ingest.command('run'))
    .description('Ingest everything once, now')
    .addOption(dayOption('--date <day>', 'Only data about this day, such as 2026-11-20'))
    .action(({ date, ...flags }: Flags & { date?: LocalDate }) =>
      ingestBatch(context, flags, { kind: 'run', date: date ?? null }),
    );
}

function addBackfill(ingest: Command, context: CliContext): void {
  addCommonOptions(ingest.command('backfill'))
    .description('Ingest past days, newest first; skips requests whose responses are stored')
    .addOption(dayOption('--from <day>', 'First day').makeOptionMandatory())
    .addOption(dayOption('--to <day>', 'Last day (default: yesterday)'))
    .option('--again', 'Repeat requests whose responses are stored')
    .action(({ from, to, again, ...flags }: Flags & BackfillFlags) => {
      const last = to ?? addDays(newYorkDate(context.clock.now()), -1);
      if (from > last) throw new CliError(`--from ${from} is later than --to ${last}`);
      return ingestBatch(context, flags, {
        kind: 'backfill',
        from,
        to: last,
        isAgain: again === true,
      });
    });
}

function addResetAhead(ingest: Command, context: CliContext): void {
  ingest
    .command('reset-ahead')
    .description(
      'Move everything that was recorded while the clock was ahead to the present, so that new ' +
        'data replaces it. Run it once the clock is right',
    )
    .action(async () => {
      const { db, close } = await context.openStore();
      try {
        const now = context.clock.now();
        const rows = await db.transaction(async (tx) => {
          const moved = await moveFutureBack(tx, now);
          await recordAuditEvent(tx, {
            actor: COMMAND_LINE,
            at: now,
            action: 'ingest.reset-ahead',
            subject: null,
            customerId: null,
            details: { rows: moved },
          });
          return moved;
        });
        context.stdout(`${JSON.stringify({ rows })}\n`);
      } finally {
        await close();
      }
    });
}

interface BackfillFlags {
  from: LocalDate;
  to?: LocalDate;
  again?: boolean;
}

function addCommonOptions(command: Command): Command {
  return command
    .option('--source <list>', 'Comma-separated sources (default: SOURCES)')
    .option('--feed <feed>', 'Only this feed')
    .option('--json', 'Print the result as JSON')
    .addHelpText('after', EXIT_HELP);
}

async function ingestBatch(
  context: CliContext,
  { source, feed, json }: Flags,
  scope: IngestionOptions['scope'],
): Promise<void> {
  const result = await runIngestion(
    { context, random: systemRandom() },
    { sources: source ?? null, feed: feed ?? null, scope },
  );
  context.stdout(json === true ? `${JSON.stringify(result)}\n` : renderResult(result));
  const unanswered = result.unavailable + result.open;
  if (unanswered > 0) {
    throw new CliError(
      `${unanswered} requests got no response; run the same command again to retry them`,
      EXIT_INCOMPLETE,
    );
  }
}

function renderResult(result: IngestionResult): string {
  const parts = [
    `${result.ingested} responses ingested with ${result.rows} rows`,
    `${result.rejected} rejected`,
    `${result.unavailable + result.open} without a response`,
    `${result.skipped} already stored`,
  ];
  if (result.dropped > 0) parts.push(`${result.dropped} dropped`);
  return `${result.sources.join(', ')}: ${parts.join(', ')}.\n`;
}
