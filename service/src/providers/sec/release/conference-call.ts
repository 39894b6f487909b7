import { addDays, daysBetween, type LocalDate } from '../../../domain/local-date.ts';
import { newYorkInstant } from '../../../domain/new-york.ts';
import { formatInstant } from '../../../platform/instant.ts';
import { type SourceText, sourceOffset } from '../html/source-text.ts';
import { endOf, parsePeriod } from './period.ts';
import { type Sentence, sentencesOf } from './sentences.ts';

/** Time of the conference call about the results. */
export interface ConferenceCall {
  /** RFC 3339 in UTC. */
  value: string;
  unit: 'instant';
  /** The sentence. */
  row: string;
  column: '';
  offset: number;
  /** Address of the webcast, if the same passage has one. */
  link: string | null;
}

/** Date on which the company says that it will publish its next results. */
export interface NextReport {
  value: LocalDate;
  unit: 'date';
  row: string;
  column: '';
  offset: number;
}

const CALL = /\b(?:conference call|web-? ?cast|earnings call|call|teleconference)\b/i;
const REPLAY =
  /\b(?:replay|rebroadcast|recording|archived?|available (?:until|through|from)|playback)\b/i;
const TIME =
  /\b(\d{1,2})(?:[:.](\d{2}))? ?(?:noon|([ap])\.? ?m\b\.?),? ?\(?(?:U\.?S\.? )?(Eastern|E\.?[DS]?\.?T|New York|Central|C[DS]?T|Mountain|M[DS]?T|Pacific|P[DS]?T)?/gi;
const URL = /\b(?:https?:\/\/|www\.)[^\s<>"”’]+[^\s<>"”’.,;)]/i;
/** Hours by which a zone of the United States is behind New York. Both change their clocks. */
const HOURS_BEHIND: Readonly<Record<string, number>> = { e: 0, n: 0, c: 1, m: 2, p: 3 };
const DATELINE_PASSAGES = 15;
const WINDOW_DAYS = 200;

/** Finds the time of the call. Null without a day, a time and a zone. */
export function findCall(
  passages: readonly SourceText[],
  periodEnd: LocalDate,
): ConferenceCall | null {
  const releasedOn = findDateline(passages, periodEnd);
  for (const [index, passage] of passages.entries()) {
    const before = passages[index - 1]?.text ?? '';
    const sentences = sentencesOf(passage);
    for (const [position, sentence] of sentences.entries()) {
      const context = `${before.length < 60 ? before : ''} ${sentence.text}`;
      if (!CALL.test(context)) continue;
      const previous = sentences[position - 1]?.text ?? '';
      const call = callIn(sentence, { previous, periodEnd, releasedOn });
      if (call !== null) return { ...call, link: URL.exec(passage.text)?.[0] ?? null };
    }
  }
  return null;
}

function callIn(
  sentence: Sentence,
  context: { previous: string; periodEnd: LocalDate; releasedOn: LocalDate | null },
): Omit<ConferenceCall, 'link'> | null {
  const time = [...sentence.text.matchAll(TIME)].toSorted((a, b) => rankOf(a) - rankOf(b))[0];
  if (time === undefined || time[4] === undefined) return null;
  const start = sentence.text.slice(0, time.index);
  if (REPLAY.test(start)) return null;
  const behind = HOURS_BEHIND[time[4][0]?.toLowerCase() ?? ''] ?? 0;
  // A time without a.m. or p.m. is noon.
  const hour = (Number(time[1]) % 12) + (/p/i.test(time[3] ?? 'p') ? 12 : 0);
  const minute = Number(time[2] ?? 0);
  if (Number(time[1]) > 12 || minute > 59) return null;
  const day =
    dayAfter(sentence.text, context.periodEnd) ??
    (/\b(?:today|this (?:morning|afternoon|evening))\b/i.test(sentence.text)
      ? context.releasedOn
      : null) ??
    (/\btomorrow\b/i.test(sentence.text) && context.releasedOn !== null
      ? addDays(context.releasedOn, 1)
      : null) ??
    dayAfter(context.previous, context.periodEnd) ??
    (/\btoday\b/i.test(context.previous) ? context.releasedOn : null);
  if (day === null) return null;
  const at = newYorkInstant(day, (hour + behind) * 60 + minute);
  const { text, passage } = sentence;
  const offset = sourceOffset(passage, sentence.start + time.index);
  return { value: formatInstant(at), unit: 'instant', row: text.trim(), column: '', offset };
}

/** New York time first, if a sentence names the time in several zones. */
function rankOf(match: RegExpExecArray): number {
  if (match[4] === undefined) return 2;
  return /^[en]/i.test(match[4]) ? 0 : 1;
}

const NAMED_DAY =
  /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}(?:st|nd|rd|th)?\b|\b\d{1,2} (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/gi;

/** Returns the first named day that follows the period. Years in a dateline can be wrong. */
function dayAfter(text: string, periodEnd: LocalDate): LocalDate | null {
  for (const [name] of text.matchAll(NAMED_DAY)) {
    const { month, day } = parsePeriod(name);
    const year = Number(periodEnd.slice(0, 4));
    for (const candidate of [year, year + 1]) {
      const date = endOf({ months: null, quarter: null, year: candidate, month, day });
      if (date === null) continue;
      const days = daysBetween(periodEnd, date);
      if (days > 0 && days <= WINDOW_DAYS) return date;
    }
  }
  return null;
}

/** Returns the day of the release, from the first texts that name a day after the period. */
function findDateline(passages: readonly SourceText[], periodEnd: LocalDate): LocalDate | null {
  for (const { text } of passages.slice(0, DATELINE_PASSAGES)) {
    const start = text.slice(0, 300).replaceAll(/\bended\b.{0,25}/gi, '');
    const date = dayAfter(start, periodEnd);
    if (date !== null) return date;
  }
  return null;
}

const NEXT =
  /\b(?:expects?|plans?|intends?|will|scheduled|anticipates?)\b[^.]{0,60}\b(?:report|announce|release|publish|issue|host|hold)\w*\b[^.]{0,60}\b(?:first|second|third|fourth|next|1st|2nd|3rd|4th|Q[1-4]|half)\b[^.]{0,60}\b(?:results|earnings|report)\b/i;

/** Finds the announced date of the next results. */
export function findNextReport(
  passages: readonly SourceText[],
  periodEnd: LocalDate,
): NextReport | null {
  const releasedOn = findDateline(passages, periodEnd);
  for (const sentence of passages.flatMap(sentencesOf)) {
    if (!NEXT.test(sentence.text)) continue;
    const date = dayAfter(sentence.text, periodEnd);
    const isLater = date !== null && releasedOn !== null && daysBetween(releasedOn, date) > 30;
    if (date === null || !isLater) continue;
    const offset = sourceOffset(sentence.passage, sentence.start);
    return { value: date, unit: 'date', row: sentence.text.trim(), column: '', offset };
  }
  return null;
}
