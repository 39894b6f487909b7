import { identifyEvents } from '../../datasets/economic-events/identify-events.ts';
import type { Identity } from '../../datasets/economic-events/identify-events.ts';
import { placeOf } from '../../datasets/economic-events/candidate.ts';
import { monthSubject } from '../../datasets/economic-events/observation.ts';
import type { EconomicObservation } from '../../datasets/economic-events/observation.ts';
import { foldName } from '../../datasets/economic-events/known-event.ts';
import { addDays, parseLocalDate } from '../../domain/local-date.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { readText, required } from '../kit/fields.ts';
import type { JsonObject } from '../kit/json.ts';
import { readPublishedText } from '../kit/published-text.ts';
import { readRows } from '../kit/read-rows.ts';
import { refuseConflicts } from '../kit/refuse-conflicts.ts';
import { RowError } from '../kit/row-error.ts';
import { AnswerError } from '../provider.ts';
import type { Answer, Feed, FeedRequest, Parsed, ParsedRow, PlanContext } from '../provider.ts';
import { openEnvelope, rowsOf } from './envelope.ts';
import { apiRequest, HOST } from './request.ts';

/** One day more than is wanted on each side: the source's days may be off by one. */
const DAYS = { back: 1, ahead: 8 };
const SOURCE_URL = 'https://www.nasdaq.com/market-activity/economic-calendar';
const CLOCK = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** `calendar/economicevents?date=`: the economic releases of one day, as this source counts days. */
export const economicEvents: Feed = {
  name: 'economic-events',
  datasets: ['economic-events'],
  claims: (answer) =>
    answer.host === HOST && /^\/api\/calendar\/economicevents(\?|$)/.test(answer.path),
  parse,
  plan,
};

type Facts = Omit<EconomicObservation, 'stem' | 'ordinal'>;

function parse(answer: Answer): Parsed {
  const content = openEnvelope(answer);
  const date = dateInUrl(answer.url);
  if (date === null) throw new AnswerError('error-answer', 'no-date', 'the URL names no day');
  const rows = Array.isArray(content) ? content : rowsOf(content);
  const parsed = readRows({
    dataset: 'economic-events',
    rows,
    subjectOf: () => monthSubject(date),
    read: (row) => toRow(readFacts(row, date), { stem: null, ordinal: 1 }),
  });
  const facts = parsed.rows.map(({ fields }) => fields as EconomicObservation);
  const identities = identifyEvents(
    facts.map((one) => ({
      eventName: one.eventName,
      countryCode: placeOf(one.country).countryCode,
      time: one.time,
      values: [one.actual ?? null, one.consensus ?? null, one.previous ?? null],
    })),
  );
  return refuseConflicts({
    rows: facts.map((one, i) => toRow(one, identities[i] ?? { stem: null, ordinal: 1 })),
    bad: parsed.bad,
  });
}

function plan({ today }: PlanContext): FeedRequest[] {
  return Array.from({ length: DAYS.back + 1 + DAYS.ahead }, (_, index) =>
    apiRequest(`calendar/economicevents?date=${addDays(today, index - DAYS.back)}`),
  );
}

function readFacts(row: JsonObject, date: LocalDate): Facts {
  return {
    eventName: required(readText(row, 'eventName'), 'eventName'),
    country: required(readText(row, 'country'), 'country'),
    date,
    ...readClock(row),
    clock: 'uncalibrated',
    list: date,
    actual: readPublishedText(row, 'actual'),
    consensus: readPublishedText(row, 'consensus'),
    previous: readPublishedText(row, 'previous'),
    sourceUrl: SOURCE_URL,
  };
}

/** The column is called `gmt` and is not GMT; it is kept as it stands. */
function readClock(row: JsonObject): Pick<Facts, 'time' | 'timeStatus'> {
  const text = readText(row, 'gmt');
  if (text === null || text === 'Tentative') return { time: null, timeStatus: 'tentative' };
  if (text === 'All Day' || text === '24H') return { time: null, timeStatus: 'all-day' };
  if (CLOCK.test(text)) return { time: text, timeStatus: 'exact' };
  throw new RowError('bad-time', `gmt is ${text}`);
}

function toRow(facts: Facts, { stem, ordinal }: Identity): ParsedRow {
  const name = stem ?? `${foldName(facts.country)}/${foldName(facts.eventName)}/${ordinal}`;
  return {
    dataset: 'economic-events',
    subject: monthSubject(facts.date),
    naturalKey: `${facts.date}/${name.slice(0, 180)}`,
    fields: { ...facts, stem, ordinal },
  };
}

function dateInUrl(url: string): LocalDate | null {
  return parseLocalDate(new URL(url).searchParams.get('date') ?? '');
}
