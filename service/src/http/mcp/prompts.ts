/** A question that clients offer to people, with the steps that answer it. */
export interface QuestionPrompt {
  name: string;
  title: string;
  description: string;
  arguments: readonly { name: string; description: string; required: boolean }[];
  /** Renders the question. An optional argument that is missing is undefined. */
  render(values: Readonly<Record<string, string | undefined>>): string;
}

const SYMBOL = { name: 'symbol', description: 'Ticker symbol, such as AAPL.', required: true };
const DATE = {
  name: 'date',
  description: 'New York day, YYYY-MM-DD, or today, yesterday, tomorrow. Default: today.',
  required: false,
};
const SOURCES = 'Name the sources and the time of the data.';

export const PROMPTS: readonly QuestionPrompt[] = [
  {
    name: 'earnings-day',
    title: 'Reports on a day',
    description: 'Companies that report on a day, by session, with what is expected.',
    arguments: [DATE],
    render: ({ date = 'today' }) =>
      `Which companies report earnings on ${date}, before the open and after the close? Use the ` +
      `earnings tool with endpoint calendar-earnings and date ${date}. Give symbol, name, the ` +
      `consensus for EPS and revenue, and say which dates are confirmed. ${SOURCES}`,
  },
  {
    name: 'next-report',
    title: 'Next report of a company',
    description: 'The next report of a company, and how sure its date is.',
    arguments: [SYMBOL],
    render: ({ symbol }) =>
      `When does ${symbol} report next, and how sure is that date? Use the earnings tool with ` +
      `endpoint earnings and symbol ${symbol}. Then read the report's versions with endpoint ` +
      `earnings-revisions and its id, and say whether the date moved. ${SOURCES}`,
  },
  {
    name: 'surprise-history',
    title: 'Results against expectations',
    description: 'Results against consensus, and how the price reacted.',
    arguments: [SYMBOL],
    render: ({ symbol }) =>
      `How did the last results of ${symbol} compare with consensus, and how did the price react? ` +
      `Use the earnings tool with endpoint earnings-reactions and symbol ${symbol}. Give each ` +
      `quarter's surprise in percent and the move of the first session. ${SOURCES}`,
  },
  {
    name: 'known-then',
    title: 'State of knowledge at an instant',
    description: 'The reports of a company as known at an instant in the past.',
    arguments: [
      SYMBOL,
      {
        name: 'instant',
        description: 'RFC 3339 instant, such as 2026-11-12T21:00:00Z.',
        required: true,
      },
    ],
    render: ({ symbol, instant }) =>
      `What was known about the earnings of ${symbol} at ${instant}? Use the earnings tool with ` +
      `endpoint earnings, symbol ${symbol}, asOf ${instant} and known public. Compare it with the ` +
      `same call without asOf and known, and list what changed since. ${SOURCES}`,
  },
  {
    name: 'week-ahead',
    title: 'Week ahead',
    description: 'Trading days, economic releases and the largest reports of a week.',
    arguments: [{ ...DATE, description: `First day. ${DATE.description}` }],
    render: ({ date = 'today' }) =>
      `What matters for U.S. stocks in the week from ${date}? Use the market tool with endpoint ` +
      `market-calendar for the trading days, the calendars tool with endpoint calendar-economic ` +
      `and usmajor true, and the earnings tool with endpoint calendar-earnings and fields ` +
      `symbol,name,date,marketCap. Summarize by day. ${SOURCES}`,
  },
];
