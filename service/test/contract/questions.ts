import { addDays, type Row, TODAY, type World } from './world.ts';

/** A question with its answer, which does not come from MCP. */
export interface Question {
  text: string;
  answer: string;
}

/**
 * Returns 50 questions about the simulated market. The answers come from the read API, by another
 * endpoint or computation than an agent would use, or from the exchanges' published calendar.
 */
export async function writeQuestions(world: World): Promise<readonly Question[]> {
  const { rows } = world;
  const past = await reportsOf(world, addDays(TODAY, -7), addDays(TODAY, -1));
  const reported = past.filter((row) => row['eps'] !== null && row['epsEstimate'] !== null);
  const ahead = await reportsOf(world, addDays(TODAY, 3), addDays(TODAY, 10));
  const changes = await rows('/v1/changes?since=2020-01-01T00:00:00Z&dataset=earnings&limit=1000');
  return [
    ...(await nextReports(world, ahead.slice(0, 5))),
    ...reported.slice(0, 5).map(epsSurprise),
    ...reported.slice(0, 4).map(revenueBeat),
    ...(await daysBeforeOpen(world)),
    ...(await numbersOfReports(world)),
    ...(await knownThen(world, changes)),
    ...(await firstKnown(world, changes)),
    ...MARKET_SCHEDULE,
    ...(await sectors(world, ahead.slice(5, 7))),
    ...(await dividends(world)),
    ...(await majorReleases(world)),
    ...(await numbersOfChanges(world, changes)),
    ...(await moves(world)),
    ...(await offerings(world)),
  ];
}

/** All reports of a range with their date, as the calendar's single days show them. */
async function reportsOf(world: World, from: string, to: string): Promise<Row[]> {
  const all: Row[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const day = (await world.read(`/v1/calendar/earnings?date=${date}`)) as Record<string, Row[]>;
    all.push(...(day['pre'] ?? []), ...(day['after'] ?? []), ...(day['notSupplied'] ?? []));
  }
  return all;
}

function textOf(row: Row | undefined, field: string): string {
  return String(row?.[field]);
}

async function nextReports({ read }: World, reports: readonly Row[]): Promise<Question[]> {
  const questions: Question[] = [];
  for (const report of reports) {
    const symbol = textOf(report, 'symbol');
    const profile = (await read(`/v1/profile/${symbol}`)) as { nextEarnings: { date: string } };
    const { date } = profile.nextEarnings;
    questions.push({ text: `When does ${symbol} report next?`, answer: date });
  }
  return questions;
}

function epsSurprise(report: Row): Question {
  const [actual, estimate] = [Number(report['eps']), Number(report['epsEstimate'])];
  const percent = ((actual - estimate) / Math.abs(estimate)) * 100;
  const symbol = textOf(report, 'symbol');
  return {
    text: `By how many percent did EPS of ${symbol} differ from consensus on ${textOf(report, 'date')}?`,
    answer: String(Math.round(percent * 1e4) / 1e4),
  };
}

function revenueBeat(report: Row): Question {
  const hasBeaten = Number(report['revenue']) > Number(report['revenueEstimate']);
  const symbol = textOf(report, 'symbol');
  return {
    text: `Did revenue of ${symbol} beat consensus on ${textOf(report, 'date')}?`,
    answer: hasBeaten ? 'yes' : 'no',
  };
}

async function daysBeforeOpen(world: World): Promise<Question[]> {
  const questions: Question[] = [];
  for (const offset of [-1, 3, 4, 5]) {
    const date = addDays(TODAY, offset);
    const reports = await reportsOf(world, date, date);
    const early = reports.filter((row) => row['time'] === 'time-pre-market');
    questions.push({
      text: `Which companies report before the open on ${date}?`,
      answer: namesOf(early, 'symbol'),
    });
  }
  return questions;
}

async function numbersOfReports(world: World): Promise<Question[]> {
  const questions: Question[] = [];
  for (const [first, last] of [
    [6, 9],
    [-2, 5],
  ] as const) {
    const [from, to] = [addDays(TODAY, first), addDays(TODAY, last)];
    const reports = await reportsOf(world, from, to);
    const text = `How many companies report from ${from} to ${to}?`;
    questions.push({ text, answer: String(reports.length) });
  }
  return questions;
}

/** The state before and at a change, from the change record that lists both. */
async function knownThen(world: World, changes: readonly Row[]): Promise<Question[]> {
  const questions: Question[] = [];
  const resultChanges = changes.filter((change) => valueAfter(change, 'eps') !== null);
  for (const change of resultChanges.slice(-3)) {
    const [symbol, at] = [textOf(change, 'symbol'), textOf(change, 'at')];
    const { date, epsEstimate } = await versionAt(world, change);
    const before = new Date(Date.parse(at) - 1).toISOString();
    questions.push(
      { text: `At ${before}, were results of ${symbol} for ${date} known?`, answer: 'no' },
      { text: `At ${at}, were results of ${symbol} for ${date} known?`, answer: 'yes' },
      {
        text: `At ${at}, which EPS was expected for the report of ${symbol} on ${date}?`,
        answer: String(epsEstimate),
      },
    );
  }
  return questions.slice(0, 6);
}

function valueAfter(change: Row, field: string): unknown {
  const fields = change['fields'] as Record<string, { from: unknown; to: unknown }> | null;
  return fields?.[field]?.to ?? null;
}

async function firstKnown(world: World, changes: readonly Row[]): Promise<Question[]> {
  const questions: Question[] = [];
  const results = changes.filter((change) => valueAfter(change, 'eps') !== null);
  for (const change of results.slice(0, 5)) {
    const { date } = await versionAt(world, change);
    const text = `When were results of ${textOf(change, 'symbol')} for ${date} first known?`;
    questions.push({ text, answer: textOf(change, 'at') });
  }
  return questions;
}

/** The report as it was right after a change. */
async function versionAt(
  { rows }: World,
  change: Row,
): Promise<{ date: string; epsEstimate: number }> {
  const versions = await rows(`/v1/earnings/${textOf(change, 'eventId')}/revisions`);
  const version = versions.find((candidate) => candidate['knownFrom'] === change['at']);
  if (version === undefined) throw new Error(`no version of ${textOf(change, 'eventId')}`);
  return version['row'] as { date: string; epsEstimate: number };
}

/** From the calendar that the exchanges publish. */
const MARKET_SCHEDULE: readonly Question[] = [
  { text: 'Is the U.S. market open on 2026-11-26?', answer: 'no' },
  { text: 'Is the U.S. market open on 2026-11-27?', answer: 'yes' },
  { text: 'Is the U.S. market open on 2026-11-28?', answer: 'no' },
  { text: 'Is the U.S. market open on 2026-12-25?', answer: 'no' },
  { text: 'When does the U.S. market close on 2026-11-25?', answer: '16:00' },
  { text: 'When does the U.S. market close on 2026-11-27?', answer: '13:00' },
  { text: 'When does the U.S. market close on 2026-12-24?', answer: '13:00' },
];

async function sectors({ read }: World, reports: readonly Row[]): Promise<Question[]> {
  const questions: Question[] = [];
  for (const report of reports) {
    const symbol = textOf(report, 'symbol');
    const profile = (await read(`/v1/profile/${symbol}`)) as Row;
    questions.push({ text: `Which sector is ${symbol} in?`, answer: textOf(profile, 'sector') });
  }
  return questions;
}

async function dividends({ rows }: World): Promise<Question[]> {
  const paid = await rows('/v1/calendar/dividends');
  return paid.slice(0, 2).map((row) => ({
    text: `Which dividend does ${textOf(row, 'symbol')} pay with ex-date ${textOf(row, 'exDate')}?`,
    answer: textOf(row, 'amount'),
  }));
}

async function majorReleases({ rows }: World): Promise<Question[]> {
  const [from, to] = [addDays(TODAY, 1), addDays(TODAY, 14)];
  const all = await rows(`/v1/calendar/economic?from=${from}&to=${to}`);
  const major = all.filter((row) => row['usMajor'] === true);
  const text = `Which major U.S. releases are due from ${from} to ${to}?`;
  return [{ text, answer: namesOf(major, 'eventName') }];
}

async function numbersOfChanges({ rows }: World, changes: readonly Row[]): Promise<Question[]> {
  const questions: Question[] = [];
  const since = '2020-01-01T00:00:00Z';
  for (const change of changes.slice(0, 2)) {
    const symbol = textOf(change, 'symbol');
    const own = await rows(`/v1/changes?since=${since}&symbols=${symbol}&limit=1000`);
    const text = `How many data changes concern ${symbol} since ${since}?`;
    questions.push({ text, answer: String(own.length) });
  }
  return questions;
}

async function moves({ read }: World): Promise<Question[]> {
  const questions: Question[] = [];
  for (let offset = -1; questions.length < 3 && offset > -60; offset--) {
    const movers = (await read(`/v1/earnings-movers?date=${addDays(TODAY, offset)}`)) as {
      data: Row[];
    };
    for (const row of movers.data) {
      const [symbol, date] = [textOf(row, 'symbol'), textOf(row, 'reportDate')];
      const text = `By how many percent did ${symbol} move after its report of ${date}?`;
      questions.push({ text, answer: textOf(row, 'priceChange') });
    }
  }
  return questions.slice(0, 3);
}

async function offerings({ rows }: World): Promise<Question[]> {
  const all = await rows('/v1/calendar/ipo?from=2026-09-01&to=2026-12-31');
  return ['expected', 'priced'].map((status) => {
    const [from, to] =
      status === 'expected'
        ? [addDays(TODAY, 1), addDays(TODAY, 30)]
        : [addDays(TODAY, -60), addDays(TODAY, -1)];
    const field = status === 'expected' ? 'date' : 'pricedDate';
    const matching = all.filter(
      (row) => row['status'] === status && textOf(row, field) >= from && textOf(row, field) <= to,
    );
    const text = `Which IPOs are ${status} from ${from} to ${to}?`;
    return { text, answer: namesOf(matching, 'companyName') };
  });
}

function namesOf(rows: readonly Row[], field: string): string {
  const names = rows.map((row) => textOf(row, field));
  return names.toSorted().join(', ');
}
