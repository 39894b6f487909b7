import { Option } from 'commander';
import { stringify } from 'csv-stringify/sync';
import { addDays, type LocalDate, parseLocalDate } from '../../domain/local-date.ts';
import { marketCalendar } from '../../domain/market/calendar.ts';
import { formatClockTime } from '../../domain/market/clock-time.ts';
import type { MarketDay } from '../../domain/market/market-day.ts';
import { type CliCommand, CliError } from '../command.ts';

const COLUMNS = ['date', 'status', 'open', 'close', 'reason'] as const;

/** Prints the scheduled days of a range. Opens no store, hence knows no operator's override. */
export const command: CliCommand = {
  name: 'market-calendar',
  add(program, context) {
    program
      .command('market-calendar')
      .description('The U.S. market calendar day by day: open, closed or early; hours in New York.')
      .requiredOption('--from <date>', 'first day, YYYY-MM-DD')
      .requiredOption('--to <date>', 'last day, included')
      .addOption(
        new Option('--format <format>', 'how to print').choices(['csv', 'json']).default('csv'),
      )
      .action((options: { from: string; to: string; format: string }) => {
        const days = daysOf(options);
        context.stdout(options.format === 'json' ? renderJson(days) : renderCsv(days));
      });
  },
};

type Line = Record<(typeof COLUMNS)[number], string | null>;

function daysOf(options: { from: string; to: string }): Line[] {
  const from = readDate('--from', options.from);
  const to = readDate('--to', options.to);
  if (to < from) throw new CliError(`--to ${to} is before --from ${from}`);
  const calendar = marketCalendar();
  const lines: Line[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) lines.push(lineOf(calendar.day(date)));
  return lines;
}

function readDate(option: string, text: string): LocalDate {
  const date = parseLocalDate(text);
  if (date === null) {
    throw new CliError(`${option} ${text} is not a date: write YYYY-MM-DD, of 1900 to 2100`);
  }
  return date;
}

function lineOf(day: MarketDay): Line {
  return {
    date: day.date,
    status: day.status,
    open: day.open === null ? null : formatClockTime(day.open),
    close: day.close === null ? null : formatClockTime(day.close),
    reason: day.reason,
  };
}

/** What is null is an empty cell. */
function renderCsv(lines: readonly Line[]): string {
  return stringify([...lines], { header: true, columns: [...COLUMNS] });
}

function renderJson(lines: readonly Line[]): string {
  return `${JSON.stringify(lines)}\n`;
}
