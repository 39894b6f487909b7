import { type AtomEntry, urnOf } from '../../domain/atom.ts';
import type { Instant } from '../../platform/instant.ts';
import type { ChangeRow } from './change-row.ts';

const NAMED_FIELDS_MAX = 4;

const NOUNS: Readonly<Record<string, string>> = {
  earnings: 'report',
  'economic-events': 'release',
  ipos: 'offering',
  dividends: 'dividend',
  profiles: 'profile',
};

/** The day that an added or removed row is about. */
const DAY_FIELDS: Readonly<Record<string, string>> = {
  earnings: 'date',
  'economic-events': 'date',
  ipos: 'date',
  dividends: 'exDate',
};

/** Renders a change as an entry of a feed. `baseUrl` is empty if the service's URL is unknown. */
export function changeEntry(row: ChangeRow, committedAt: Instant, baseUrl: string): AtomEntry {
  const { dataset, kind, symbol, eventId } = row;
  return {
    // The id of a change alone is not unique: every service counts from one.
    id: urnOf('change', row.id, row.at, String(dataset), eventId),
    title: changeTitle(row),
    updatedAt: committedAt,
    url: symbol === null ? null : `${baseUrl}/dashboard/symbols/${encodeURIComponent(symbol)}`,
    categories: [String(dataset), String(kind)],
    lines: [
      ...row.changedFields.map((field) => fieldLine(row, field)),
      `Change ${row.id} of ${eventId}`,
    ],
  };
}

/** Returns a headline such as `NRTH moved its report from 2026-11-19 to 2026-11-20`. */
export function changeTitle(row: ChangeRow): string {
  const subject = subjectOf(row);
  const noun = NOUNS[row.dataset] ?? 'row';
  if (row.kind === 'changed') {
    const event = row.dataset === 'earnings' ? earningsEvent(row) : renaming(row);
    return event === null
      ? `${subject}: ${noun} changed (${fieldNames(row.changedFields)})`
      : `${subject} ${event}`;
  }
  const day = valueOf(row, DAY_FIELDS[row.dataset] ?? '');
  return `${subject}: ${noun} ${day === null ? '' : `of ${formatValue(day)} `}${row.kind}`;
}

function earningsEvent({ fields, changedFields }: ChangeRow): string | null {
  const { date, eps, revenue, dateStatus } = fields ?? {};
  const results = [
    ...(isNew(eps) ? [`EPS ${formatValue(eps.to)}`] : []),
    ...(isNew(revenue) ? [`revenue ${formatValue(revenue.to)}`] : []),
  ];
  if (results.length > 0) return `reported ${results.join(', ')}`;
  if (date !== undefined) {
    const to = formatValue(date.to);
    const confirmed = dateStatus?.to === 'confirmed' ? ', confirmed' : '';
    return `moved its report from ${formatValue(date.from)} to ${to}${confirmed}`;
  }
  if (dateStatus?.to === 'confirmed') return 'confirmed the date of its report';
  return changedFields.length === 1 ? singleField(changedFields[0] ?? '', fields) : null;
}

function singleField(field: string, fields: ChangeRow['fields']): string | null {
  const value = fields?.[field];
  const name = field === 'epsEstimate' ? 'EPS' : field === 'revenueEstimate' ? 'revenue' : null;
  if (name === null || value === undefined) return null;
  return `has a new ${name} estimate: ${formatValue(value.to)} (was ${formatValue(value.from)})`;
}

function renaming({ fields }: ChangeRow): string | null {
  const { symbol } = fields ?? {};
  if (typeof symbol?.from !== 'string' || typeof symbol.to !== 'string') return null;
  return `is the new symbol of ${symbol.from}`;
}

function isNew(
  value: { from?: unknown; to?: unknown } | undefined,
): value is { from: null; to: unknown } {
  return value !== undefined && value.from === null && value.to !== null;
}

function subjectOf(row: ChangeRow): string {
  const name = valueOf(row, 'eventName') ?? valueOf(row, 'companyName');
  return row.symbol ?? (typeof name === 'string' ? name : row.eventId);
}

/** Returns the value after an addition or before a removal. */
function valueOf({ fields }: ChangeRow, field: string): unknown {
  const value = fields?.[field];
  return value?.to ?? value?.from ?? null;
}

function fieldNames(names: readonly string[]): string {
  const moreCount = names.length - NAMED_FIELDS_MAX;
  const named = names.slice(0, NAMED_FIELDS_MAX).join(', ');
  return moreCount > 0 ? `${named} and ${moreCount} more` : named;
}

function fieldLine({ fields, kind }: ChangeRow, field: string): string {
  const value = fields?.[field];
  if (value === undefined) return field;
  if (kind === 'added') return `${field}: ${formatValue(value.to)}`;
  if (kind === 'removed') return `${field}: ${formatValue(value.from)}`;
  return `${field}: ${formatValue(value.from)} → ${formatValue(value.to)}`;
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined) return 'unknown';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
