import { type Command, Option } from 'commander';
import { systemRandom } from '../../platform/random.ts';
import { addDays, type LocalDate, parseLocalDate } from '../../domain/local-date.ts';
import { newYorkDate } from '../../domain/new-york.ts';
import { type CliCommand, type CliContext, CliError } from '../command.ts';
import { gatherNow } from '../sources/gather-now.ts';
import { runIngestRole } from '../roles/ingest-role.ts';
import { addSettingOptions } from '../setting-options.ts';

/** The exit code when some requests were not answered: asked again, the command goes on with them. */
const EXIT_INCOMPLETE = 2;
const EXIT_HELP =
  '\nExit code: 0 all answers are in the store, 2 some requests have no answer yet, 1 failure.';

export const command: CliCommand = {
  name: 'ingest',
  add(program, context) {
    const ingest = program
      .command('ingest')
      .description(
        'Gather until told to end, as one of several processes on one PostgreSQL; or now, or for ' +
          'days gone by.',
      );
    addSettingOptions(ingest).action((flags: Record<string, unknown>) =>
      runIngestRole(context, context.settings(flags)),
    );
    addRun(ingest, context);
    addBackfill(ingest, context);
  },
};

interface Flags {
  source?: string;
  feed?: string;
  json?: boolean;
}

function addRun(ingest: Command, context: CliContext): void {
  withCommon(ingest.command('run'))
    .description('One pass now: ask for everything once, before its time.')
    .addOption(dayOption('--date <day>', 'only what is about this day'))
    .action(({ date, ...flags }: Flags & { date?: LocalDate }) =>
      gather(context, flags, { kind: 'run', date: date ?? null }),
    );
}

function addBackfill(ingest: Command, context: CliContext): void {
  withCommon(ingest.command('backfill'))
    .description('Ask for days gone by, the newest first; what is in the store is not asked again.')
    .addOption(dayOption('--from <day>', 'the first day').makeOptionMandatory())
    .addOption(dayOption('--to <day>', 'the last day; yesterday when absent'))
    .option('--again', 'ask again for what is in the store')
    .action(({ from, to, again, ...flags }: Flags & BackfillFlags) => {
      const last = to ?? addDays(newYorkDate(context.clock.now()), -1);
      if (from > last) throw new CliError(`--from ${from} is later than --to ${last}`);
      return gather(context, flags, { kind: 'backfill', from, to: last, isAgain: again === true });
    });
}

interface BackfillFlags {
  from: LocalDate;
  to?: LocalDate;
  again?: boolean;
}

function withCommon(command: Command): Command {
  return command
    .option('--source <list>', 'from these sources; from all in SOURCES when absent')
    .option('--feed <feed>', 'only this feed of them')
    .option('--json', 'print the outcome for programs on stdout')
    .addHelpText('after', EXIT_HELP);
}

function dayOption(form: string, description: string): Option {
  return new Option(form, description).argParser((text) => {
    const day = parseLocalDate(text);
    if (day === null) throw new CliError(`${text} is not a day: write it like 2026-11-20`);
    return day;
  });
}

async function gather(
  context: CliContext,
  { source, feed, json }: Flags,
  wanted: Parameters<typeof gatherNow>[1]['wanted'],
): Promise<void> {
  const outcome = await gatherNow(
    { context, random: systemRandom() },
    { sources: source ?? null, feed: feed ?? null, wanted },
  );
  if (json === true) context.stdout(`${JSON.stringify(outcome)}\n`);
  else context.stdout(sentence(outcome));
  if (outcome.unavailable + outcome.open > 0) {
    throw new CliError(
      `${outcome.unavailable + outcome.open} requests have no answer; the same command asks again`,
      EXIT_INCOMPLETE,
    );
  }
}

function sentence(outcome: Awaited<ReturnType<typeof gatherNow>>): string {
  const parts = [
    `${outcome.ingested} answers with ${outcome.rows} rows taken in`,
    `${outcome.rejected} without any`,
    `${outcome.unavailable + outcome.open} not answered`,
    `${outcome.skipped} in the store before`,
  ];
  if (outcome.dropped > 0) parts.push(`${outcome.dropped} no longer asked`);
  return `${outcome.sources.join(', ')}: ${parts.join('; ')}.\n`;
}
