import type { Client } from '@modelcontextprotocol/client';

/** A row in an answer. Unknown fields are absent. */
type Row = Readonly<Record<string, unknown>>;

interface Answer {
  data: unknown;
  rows?: number | string;
  counts?: Readonly<Record<string, number>>;
  cursor?: string;
}

export interface QuestionAgent {
  /** Answers a question in English, or throws if it has no way to answer it. */
  answer(question: string): Promise<string>;
  /** Length of every answer of a tool, in characters. */
  readonly answerLengths: readonly number[];
}

/**
 * An agent without a language model: it recognizes kinds of questions, chooses a tool as a model
 * would, and reads the answer from the result. It has only the tools, and what they return.
 */
export function questionAgent(client: Client, today: string): QuestionAgent {
  const answerLengths: number[] = [];

  async function ask(name: string, args: Record<string, unknown>): Promise<Answer> {
    const { content, isError } = await client.callTool({ name, arguments: args });
    const [first] = content;
    const text = first?.type === 'text' ? first.text : '';
    answerLengths.push(text.length);
    if (isError === true) throw new Error(text);
    return JSON.parse(text) as Answer;
  }

  /** Follows the cursors and returns all rows, from the lists of days too. */
  async function askAll(name: string, args: Record<string, unknown>): Promise<Row[]> {
    const rows: Row[] = [];
    let cursor: string | undefined;
    do {
      const answer = await ask(name, { ...args, cursor });
      rows.push(...rowsIn(answer.data));
      cursor = answer.cursor;
    } while (cursor !== undefined);
    return rows;
  }

  return {
    answerLengths,
    async answer(question) {
      for (const [shape, respond] of SKILLS) {
        const groups = shape.exec(question)?.groups;
        if (groups === undefined) continue;
        return respond(groups, { ask, askAll, today });
      }
      throw new Error(`no skill for: ${question}`);
    },
  };
}

interface Tools {
  ask(name: string, args: Record<string, unknown>): Promise<Answer>;
  askAll(name: string, args: Record<string, unknown>): Promise<Row[]>;
  today: string;
}

type Skill = (groups: Readonly<Record<string, string>>, tools: Tools) => Promise<string>;

const SKILLS: readonly (readonly [RegExp, Skill])[] = [
  [
    /^When does (?<symbol>\S+) report next\?$/,
    async ({ symbol }, { askAll, today }) => {
      const fields = 'date,dateStatus';
      const rows = await askAll('earnings', { endpoint: 'earnings', symbol, fields });
      const ahead = rows.filter((row) => row['dateStatus'] !== 'reported');
      const dates = ahead.map((row) => String(row['date'])).filter((date) => date > today);
      return dates.toSorted()[0] ?? 'unknown';
    },
  ],
  [
    /^By how many percent did EPS of (?<symbol>\S+) differ from consensus on (?<date>\S+)\?$/,
    async ({ symbol, date }, tools) =>
      String((await reportOf(tools, { symbol, date }))['epsSurprisePercent']),
  ],
  [
    /^Did revenue of (?<symbol>\S+) beat consensus on (?<date>\S+)\?$/,
    async ({ symbol, date }, { askAll }) => {
      const fields = 'date,revenue';
      const rows = await askAll('earnings', { endpoint: 'earnings-reactions', symbol, fields });
      const revenue = rows.find((row) => row['date'] === date)?.['revenue'] as Row | undefined;
      return revenue?.['outcome'] === 'beat' ? 'yes' : 'no';
    },
  ],
  [
    /^Which companies report before the open on (?<date>\S+)\?$/,
    async ({ date }, { askAll }) => {
      const fields = 'symbol,time';
      const rows = await askAll('earnings', { endpoint: 'calendar-earnings', date, fields });
      return namesOf(
        rows.filter((row) => row['time'] === 'time-pre-market'),
        'symbol',
      );
    },
  ],
  [
    /^How many companies report from (?<from>\S+) to (?<to>\S+)\?$/,
    async ({ from, to }, { askAll }) => {
      const days = { endpoint: 'calendar-earnings', from, to, fields: 'symbol' };
      const rows = await askAll('earnings', days);
      return String(rows.filter((row) => row['symbol'] !== undefined).length);
    },
  ],
  [
    /^At (?<asOf>\S+), which EPS was expected for the report of (?<symbol>\S+) on (?<date>\S+)\?$/,
    async ({ asOf, symbol, date }, tools) =>
      String((await reportOf(tools, { symbol, date, asOf }))['epsEstimate']),
  ],
  [
    /^At (?<asOf>\S+), were results of (?<symbol>\S+) for (?<date>\S+) known\?$/,
    async ({ asOf, symbol, date }, tools) =>
      (await reportOf(tools, { symbol, date, asOf }))['eps'] === undefined ? 'no' : 'yes',
  ],
  [
    /^When were results of (?<symbol>\S+) for (?<date>\S+) first known\?$/,
    async ({ symbol, date }, tools) => {
      const { id } = await reportOf(tools, { symbol, date });
      const versions = await tools.askAll('earnings', { endpoint: 'earnings-revisions', id });
      const known = versions.filter(({ row }) => (row as Row)['eps'] !== undefined);
      return String(known.at(-1)?.['knownFrom']);
    },
  ],
  [
    /^Is the U\.S\. market open on (?<date>\S+)\?$/,
    async ({ date }, tools) => ((await dayOf(tools, date))['isTradingDay'] === true ? 'yes' : 'no'),
  ],
  [
    /^When does the U\.S\. market close on (?<date>\S+)\?$/,
    async ({ date }, tools) => String((await dayOf(tools, date))['close']),
  ],
  [
    /^Which sector is (?<symbol>\S+) in\?$/,
    async ({ symbol }, { ask }) =>
      String(((await ask('companies', { endpoint: 'profile', symbol })).data as Row)['sector']),
  ],
  [
    /^Which dividend does (?<symbol>\S+) pay with ex-date (?<date>\S+)\?$/,
    async ({ symbol, date }, { askAll }) => {
      const range = { from: date, to: date, symbols: symbol };
      const rows = await askAll('calendars', { endpoint: 'calendar-dividends', ...range });
      return String(rows[0]?.['amount']);
    },
  ],
  [
    /^Which major U\.S\. releases are due from (?<from>\S+) to (?<to>\S+)\?$/,
    async ({ from, to }, { askAll }) => {
      const args = { endpoint: 'calendar-economic', from, to, usmajor: true, fields: 'eventName' };
      return namesOf(await askAll('calendars', args), 'eventName');
    },
  ],
  [
    /^How many data changes concern (?<symbol>\S+) since (?<since>\S+)\?$/,
    async ({ symbol, since }, { askAll }) => {
      const args = { endpoint: 'changes', since, symbols: symbol, fields: 'id', limit: 4 };
      return String((await askAll('data', args)).length);
    },
  ],
  [
    /^By how many percent did (?<symbol>\S+) move after its report of (?<date>\S+)\?$/,
    async ({ symbol, date }, { askAll }) => {
      const fields = 'date,reactions';
      const rows = await askAll('earnings', { endpoint: 'earnings-reactions', symbol, fields });
      const reactions = rows.find((row) => row['date'] === date)?.['reactions'] as
        | Row[]
        | undefined;
      return String(reactions?.[0]?.['priceChange']);
    },
  ],
  [
    /^Which IPOs are (?<status>\w+) from (?<from>\S+) to (?<to>\S+)\?$/,
    async ({ status, from, to }, { askAll }) => {
      const args = { endpoint: 'calendar-ipo', from, to, fields: 'companyName,status' };
      const rows = await askAll('calendars', args);
      return namesOf(
        rows.filter((row) => row['status'] === status),
        'companyName',
      );
    },
  ],
];

const FIELDS = 'id,date,eps,epsEstimate,epsSurprisePercent';

async function reportOf(
  { askAll }: Tools,
  {
    date,
    ...args
  }: { symbol: string | undefined; date: string | undefined; asOf?: string | undefined },
): Promise<Row> {
  const rows = await askAll('earnings', { endpoint: 'earnings', fields: FIELDS, ...args });
  const report = rows.find((row) => row['date'] === date);
  if (report === undefined) throw new Error(`no report on ${date ?? 'no day'}`);
  return report;
}

async function dayOf({ askAll }: Tools, date: string | undefined): Promise<Row> {
  const args = { endpoint: 'market-calendar', from: date, to: date };
  const [day] = await askAll('market', args);
  return day ?? {};
}

function rowsIn(data: unknown): Row[] {
  if (Array.isArray(data))
    return data.flatMap((item: Row) => (isDay(item) ? rowsIn(item) : [item]));
  const lists = Object.values(data as Row).filter((member) => Array.isArray(member));
  return lists.flat() as Row[];
}

/** A day of a calendar has its rows in lists by session. */
function isDay(item: Row): boolean {
  return ['pre', 'after', 'notSupplied'].some((list) => list in item);
}

function namesOf(rows: readonly Row[], field: string): string {
  const names = rows.map((row) => String(row[field]));
  return names.toSorted().join(', ');
}
