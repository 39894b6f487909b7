import { Option } from 'commander';
import { stringify } from 'csv-stringify/sync';
import { addDays, type LocalDate, parseLocalDate } from '../../domain/local-date.ts';
import { marketCalendar } from '../../domain/market/calendar.ts';
import { formatClockTime } from '../../domain/market/clock-time.ts';
import type { MarketDay } from '../../domain/market/market-day.ts';
import { type CliCommand, CliError } from '../command.ts';

const COLUMNS = ['date', 'status', 'open', 'close', 'reason'] as const;

/**
 * Prints the scheduled market days. Does not open the store, so market overrides are not applied.
 */
export const command: CliCommand = {
  name: 'market-calendar',
  add(program, context) {
    program
      .command('market-calendar')
      .description('Print the scheduled U.S. market calendar, with New York times')
      .requiredOption('--from <date>', 'First day, YYYY-MM-DD')
      .requiredOption('--to <date>', 'Last day, inclusive')
      .addOption(
        new Option('--format <format>', 'Output format').choices(['csv', 'json']).default('csv'),
      )
      .action((options: { from: string; to: string; format: string }) => {
        const rows = calendarRows(options);
        context.stdout(options.format === 'json' ? renderJson(rows) : renderCsv(rows));
      });
  },
};

type CalendarRow = Record<(typeof COLUMNS)[number], string | null>;

function calendarRows(options: { from: string; to: string }): CalendarRow[] {
  const from = readDate('--from', options.from);
  const to = readDate('--to', options.to);
  if (to < from) throw new CliError(`--to ${to} is before --from ${from}`);
  const calendar = marketCalendar();
  const rows: CalendarRow[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) rows.push(toRow(calendar.day(date)));
  return rows;
}

function readDate(option: string, text: string): LocalDate {
  const date = parseLocalDate(text);
  if (date === null) {
    throw new CliError(`${option} ${text} is not a date; use YYYY-MM-DD between 1900 and 2100`);
  }
  return date;
}

function toRow(day: MarketDay): CalendarRow {
  return {
    date: day.date,
    status: day.status,
    open: day.open === null ? null : formatClockTime(day.open),
    close: day.close === null ? null : formatClockTime(day.close),
    reason: day.reason,
  };
}

function renderCsv(rows: readonly CalendarRow[]): string {
  return stringify([...rows], { header: true, columns: [...COLUMNS] });
}

function renderJson(rows: readonly CalendarRow[]): string {
  return `${JSON.stringify(rows)}\n`;
}
