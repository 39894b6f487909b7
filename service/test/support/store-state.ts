import type { Db } from '../../src/storage/db.ts';

/**
 * A store's current state, without values that depend on the time and order of ingestion: inserted
 * ids and commit instants. Rows are sorted by content.
 */
const CURRENT: Readonly<Record<string, string>> = {
  earnings: `select to_jsonb(e) - '{version_id,known_from,known_to}'::text[] as row
               from earnings_event e where known_to is null`,
  profiles: `select to_jsonb(p) - '{version_id,known_from,known_to}'::text[] as row
               from profile p where known_to is null`,
  dividends: `select to_jsonb(d) - '{version_id,known_from,known_to}'::text[] as row
                from dividend d where known_to is null`,
  ipos: `select to_jsonb(i) - '{version_id,known_from,known_to}'::text[] as row
           from ipo i where known_to is null`,
  securities: 'select to_jsonb(s) as row from security s',
  symbols: 'select to_jsonb(s) as row from security_symbol s',
  listedDays: 'select to_jsonb(l) as row from listed_day l',
  quotes: 'select to_jsonb(q) as row from quote q',
  sightings: `select to_jsonb(r) - 'id' || jsonb_build_object('at', s.observed_at) as row
                from sighting s join source_record r on r.id = s.record_id`,
  answers: `select to_jsonb(a) - '{id,received_at}'::text[] as row from raw_answer a`,
  quarantine: `select to_jsonb(q) - '{id,answer_id,quarantined_at}'::text[]
                      || jsonb_build_object('url', a.url, 'at', a.observed_at) as row
                 from quarantined_row q join raw_answer a on a.id = q.answer_id`,
  held: `select to_jsonb(h) - 'record_id' || (to_jsonb(r) - 'id') as row
           from held_record h join source_record r on r.id = h.record_id`,
};

/**
 * Changes in order per entity. They are equal only for stores that learned the same facts in the
 * same order. The order across entities varies, because a transaction ingests as many responses as
 * its time limit permits.
 */
const HISTORY: Readonly<Record<string, string>> = {
  versions: `select to_jsonb(e) - '{version_id,known_from,known_to}'::text[] as row
               from earnings_event e order by id, version_id`,
  changes: `select to_jsonb(c) - '{id,committed_at}'::text[] as row
              from change_record c order by dataset, entity_id, id`,
};

export async function currentState(db: Db): Promise<Record<string, string[]>> {
  const state = await readAll(db, CURRENT);
  for (const rows of Object.values(state)) rows.sort((a, b) => (a < b ? -1 : 1));
  return state;
}

export function historyState(db: Db): Promise<Record<string, string[]>> {
  return readAll(db, HISTORY);
}

async function readAll(
  db: Db,
  parts: Readonly<Record<string, string>>,
): Promise<Record<string, string[]>> {
  const state: Record<string, string[]> = {};
  for (const [name, sql] of Object.entries(parts)) {
    // Returns all rows in one part of the state. Scans whole tables, which are small in tests.
    const rows = await db.query<{ row: string }>(`select row::text as row from (${sql}) part`);
    state[name] = rows.map(({ row }) => row);
  }
  return state;
}
