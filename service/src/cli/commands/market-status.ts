import { marketCalendar } from '../../domain/market/calendar.ts';
import { deriveMarketStatus } from '../../domain/market/market-status.ts';
import { type Instant, parseInstant } from '../../platform/instant.ts';
import { type CliCommand, type CliContext, CliError } from '../command.ts';

/** Output goes out in pieces of about this size: a write for every line would be most of the work. */
const CHUNK_CHARS = 65_536;
const FIRST_INSTANT = Date.UTC(1900, 0, 2);
const PAST_INSTANT = Date.UTC(2101, 0, 1);

const calendar = marketCalendar();

/** Prints `/v1/market-status` as of a moment. Opens no store, hence knows no operator's override. */
export const command: CliCommand = {
  name: 'market-status',
  add(program, context) {
    program
      .command('market-status')
      .description(
        'The body of /v1/market-status, now or as of a moment, by the scheduled calendar.',
      )
      .option('--at <instant>', 'RFC 3339, such as 2026-11-20T09:30:00-05:00; - reads one a line')
      .action(async ({ at }: { at?: string }) => {
        if (at === '-') return printEach(context);
        const instant = at === undefined ? context.clock.now() : readInstant(at, '--at');
        context.stdout(renderStatus(instant));
      });
  },
};

/** Empty lines are passed over. What came before a bad line is printed before the failure. */
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

function readInstant(text: string, where: string): Instant {
  const instant = parseInstant(text);
  if (instant === null || instant < FIRST_INSTANT || instant >= PAST_INSTANT) {
    throw new CliError(
      `${where} ${text} is not an instant: write RFC 3339 with Z or an offset, of 1900 to 2100`,
    );
  }
  return instant;
}

function renderStatus(at: Instant): string {
  return `${JSON.stringify(deriveMarketStatus(calendar, at))}\n`;
}
