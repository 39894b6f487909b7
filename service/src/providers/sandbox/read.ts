import { parseInstant } from '../../platform/instant.ts';
import type { Instant } from '../../platform/instant.ts';
import { parseLocalDate } from '../../domain/local-date.ts';
import type { LocalDate } from '../../domain/local-date.ts';
import { AnswerError } from '../provider.ts';
import type { Answer, BadRow, DatasetName, Parsed, ParsedRow } from '../provider.ts';

/** A row of a body as it came: nothing is known of its values yet. */
export type Loose = Readonly<Record<string, unknown>>;

/** Says that a row cannot be used; `parseRows` keeps such a row as a bad one. */
export class RowError extends Error {
  readonly reason: string;

  constructor(reason: string, detail: string) {
    super(detail);
    this.name = 'RowError';
    this.reason = reason;
  }
}

export function claimsKind(answer: Answer, kind: string): boolean {
  return answer.url.startsWith(`sandbox://market/${kind}?`);
}

/** Reads every row of the body; throws `AnswerError` when it is not a body of that kind. */
export function parseRows(
  answer: Answer,
  kind: string,
  dataset: DatasetName,
  read: (row: Loose) => ParsedRow[],
): Parsed {
  const body = answer.json();
  if (body === undefined) throw new AnswerError('damaged', 'not-json', 'the body is not JSON');
  if (!isLoose(body) || body['sandbox'] !== kind || !Array.isArray(body['rows'])) {
    throw new AnswerError('damaged', 'wrong-shape', `not a body of the kind ${kind}`);
  }
  const rows: ParsedRow[] = [];
  const bad: BadRow[] = [];
  for (const row of body['rows']) {
    try {
      if (!isLoose(row)) throw new RowError('wrong-shape', 'the row is not an object');
      rows.push(...read(row));
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      bad.push({ dataset, subject: null, reason: error.reason, detail: error.message, row });
    }
  }
  return { rows, bad };
}

export function text(row: Loose, name: string): string {
  const value = row[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new RowError('missing-field', `${name} is no text`);
}

export function decimal(row: Loose, name: string): string {
  const value = row[name];
  if (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) return value;
  throw new RowError('bad-number', `${name} is no decimal number`);
}

export function integer(row: Loose, name: string): number {
  const value = row[name];
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new RowError('bad-number', `${name} is no whole number`);
}

export function date(row: Loose, name: string): LocalDate {
  const value = row[name];
  const parsed = typeof value === 'string' ? parseLocalDate(value) : null;
  if (parsed === null) throw new RowError('bad-date', `${name} is no date`);
  return parsed;
}

export function instant(row: Loose, name: string): Instant {
  const value = row[name];
  const parsed = typeof value === 'string' ? parseInstant(value) : null;
  if (parsed === null) throw new RowError('bad-date', `${name} is no instant`);
  return parsed;
}

/** The object under that name, null for null. */
export function group(row: Loose, name: string): Loose | null {
  const value = row[name];
  if (value === null || isLoose(value)) return value;
  throw new RowError('missing-field', `${name} is no object`);
}

function isLoose(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
