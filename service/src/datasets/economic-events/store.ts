import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row, Transaction } from '../../storage/db.ts';
import type { EconomicEvent } from './row.ts';

/** Column, event field and SQL type, in one place for reading and writing. */
const COLUMNS = [
  ['id', 'id', 'text'],
  ['country', 'country', 'text'],
  ['country_code', 'countryCode', 'text'],
  ['event_name', 'eventName', 'text'],
  ['date', 'date', 'date'],
  ['"time"', 'time', 'text'],
  ['scheduled_at', 'scheduledAt', 'timestamptz'],
  ['time_status', 'timeStatus', 'text'],
  ['actual', 'actual', 'text'],
  ['consensus', 'consensus', 'text'],
  ['previous', 'previous', 'text'],
  ['revised', 'revised', 'text'],
  ['actual_value', 'actualValue', 'numeric'],
  ['consensus_value', 'consensusValue', 'numeric'],
  ['previous_value', 'previousValue', 'numeric'],
  ['revised_value', 'revisedValue', 'numeric'],
  ['unit', 'unit', 'text'],
  ['measure', 'measure', 'text'],
  ['period', 'period', 'text'],
  ['importance', 'importance', 'int4'],
  ['us_major', 'usMajor', 'bool'],
  ['source_url', 'sourceUrl', 'text'],
  ['provenance', 'provenance', 'jsonb'],
  ['updated_at', 'updatedAt', 'timestamptz'],
] as const satisfies readonly (readonly [string, keyof EconomicEvent, string])[];

const SELECT = `select ${COLUMNS.map(([column, field]) => `e.${column} as "${field}"`).join(', ')}
  from economic_event e`;
const INTO = COLUMNS.map(([column]) => column).join(', ');
const VALUES = COLUMNS.map(([, field, type]) =>
  type === 'timestamptz' ? `to_timestamp(x."${field}" / 1000.0)` : `x."${field}"`,
).join(', ');
const SHAPE = COLUMNS.map(
  ([, field, type]) => `"${field}" ${type === 'timestamptz' ? 'float8' : type}`,
).join(', ');

/** Events of a New York day as they stand. */
export async function loadEconomicEventsOfDay(
  db: Queryable,
  date: LocalDate,
): Promise<EconomicEvent[]> {
  // One row an event, unordered; by index economic_event_by_date.
  return db.query<EconomicEvent & Row>(`${SELECT} where e.known_to is null and e.date = $1`, [
    date,
  ]);
}

/** What stands between two days, both included, or under one of the ids. */
export async function loadStanding(
  tx: Transaction,
  { from, to, ids }: { from: LocalDate; to: LocalDate; ids: readonly string[] },
): Promise<EconomicEvent[]> {
  // One row an event, unordered; by indexes economic_event_by_date and economic_event_current.
  return tx.query<EconomicEvent & Row>(
    `${SELECT} where e.known_to is null
        and (e.date between $1 and $2 or e.id = any($3::text[]))`,
    [from, to, ids],
  );
}

/** Closes the versions that stand for these ids. */
export async function closeVersions(
  tx: Transaction,
  ids: readonly string[],
  now: Instant,
): Promise<void> {
  if (ids.length === 0) return;
  // By index economic_event_current.
  await tx.query(
    `update economic_event set known_to = to_timestamp($2 / 1000.0)
      where known_to is null and id = any($1::text[])`,
    [ids, now],
  );
}

/** Writes versions that stand from now on. */
export async function insertVersions(
  tx: Transaction,
  events: readonly EconomicEvent[],
  now: Instant,
): Promise<void> {
  if (events.length === 0) return;
  // Adds one row an event.
  await tx.query(
    `insert into economic_event (${INTO}, known_from)
     select ${VALUES}, to_timestamp($2 / 1000.0)
       from jsonb_to_recordset($1::jsonb) as x(${SHAPE})`,
    [JSON.stringify(events), now],
  );
}

/** Renews provenance and observation time of events whose facts stayed the same. */
export async function renewProvenance(
  tx: Transaction,
  events: readonly EconomicEvent[],
): Promise<void> {
  if (events.length === 0) return;
  // By index economic_event_current.
  await tx.query(
    `update economic_event e
        set provenance = x.provenance, updated_at = to_timestamp(x."updatedAt" / 1000.0)
       from jsonb_to_recordset($1::jsonb) as x(id text, provenance jsonb, "updatedAt" float8)
      where e.known_to is null and e.id = x.id`,
    [
      JSON.stringify(
        events.map(({ id, provenance, updatedAt }) => ({ id, provenance, updatedAt })),
      ),
    ],
  );
}
