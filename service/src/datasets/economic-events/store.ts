import type { LocalDate } from '../../domain/local-date.ts';
import type { Instant } from '../../platform/instant.ts';
import type { Queryable } from '../../storage/db.ts';
import { VersionedTable } from '../versions/versioned-table.ts';
import type { EconomicEvent } from './row.ts';

export const economicEventVersions = new VersionedTable<EconomicEvent>({
  table: 'economic_event',
  key: ['id', 'id'],
  columns: [
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
  ],
});

/** Loads events between two New York days, both inclusive, either current or as of an instant. */
export async function loadEconomicEventsBetween(
  db: Queryable,
  { from, to }: { from: LocalDate; to: LocalDate },
  at: Instant | null,
): Promise<EconomicEvent[]> {
  // Returns one row per event, unordered. Uses index economic_event_by_date, or …_by_date_ever.
  return economicEventVersions.loadInSlices(db, at, 'v.date between $1 and $2', [from, to]);
}

/** Loads current events that are between two days, both inclusive, or have one of the ids. */
export async function loadCurrentEvents(
  db: Queryable,
  { from, to, ids }: { from: LocalDate; to: LocalDate; ids: readonly string[] },
): Promise<EconomicEvent[]> {
  // Returns one row per event, unordered. Uses indexes economic_event_by_date and
  // economic_event_current.
  const where = 'v.date between $1 and $2 or v.id = any($3::text[])';
  return economicEventVersions.load(db, null, where, [from, to, ids]);
}
