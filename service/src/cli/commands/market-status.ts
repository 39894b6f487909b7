import { marketCalendar } from '../../domain/market/calendar.ts';
import { deriveMarketStatus } from '../../domain/market/market-status.ts';
import { type Instant, parseInstant } from '../../platform/instant.ts';
import { type CliCommand, type CliContext, CliError } from '../command.ts';

/**
 * Output is written in chunks of about this size, because a separate write for each line would take
 * most of the time.
 */
const CHUNK_CHARS = 65_536;
const FIRST_INSTANT = Date.UTC(1900, 0, 2);
const END_INSTANT = Date.UTC(2101, 0, 1);

const calendar = marketCalendar();

/** Prints the market status. Does not open the store, so market overrides are not applied. */
export const command: CliCommand = {
  name: 'market-status',
  add(program, context) {
    program
      .command('market-status')
      .description(
        'Print the response of /v1/market-status for a point in time, from the scheduled calendar',
      )
      .option(
        '--at <instant>',
        'RFC 3339 instant, or - to read one per line from standard input (default: now)',
      )
      .action(async ({ at }: { at?: string }) => {
        if (at === '-') return printEach(context);
        const instant = at === undefined ? context.clock.now() : readInstant(at, '--at');
        context.stdout(renderStatus(instant));
      });
  },
};

/**
 * Prints the market status for each line of standard input and skips empty lines. If a line is
 * invalid, prints the results for earlier lines before failing.
 */
async function printEach(context: CliContext): Promise<void> {
  let number = 0;
  let chunk = '';
  try {
    for await (const line of context.stdinLines()) {
      number++;
      const text = line.trim();
      if (text === '') continue;
      chunk += renderStatus(readInstant(text, `line ${number}:`));
      if (chunk.length < CHUNK_CHARS) continue;
      context.stdout(chunk);
      chunk = '';
    }
  } finally {
    if (chunk !== '') context.stdout(chunk);
  }
}

function readInstant(text: string, label: string): Instant {
  const instant = parseInstant(text);
  if (instant === null || instant < FIRST_INSTANT || instant >= END_INSTANT) {
    throw new CliError(
      `${label} ${text} is not an instant; use RFC 3339 with Z or an offset, between 1900 and 2100`,
    );
  }
  return instant;
}

function renderStatus(at: Instant): string {
  return `${JSON.stringify(deriveMarketStatus(calendar, at))}\n`;
}
