import type { Plan } from '../../domain/plan.ts';
import type { Queryable } from '../../storage/db.ts';
import type { PlanRow } from '../plans/plan-store.ts';
import type { ApiKey } from './api-key.ts';
import { KEY_COLUMNS, KEY_TABLES, type KeyRow, toApiKey } from './key-store.ts';

/** What a ring reads of the store. */

export interface RingVersion {
  /** Counts up with every change of a plan, a customer or a key. */
  version: number;
  /** Who has loaded an older version than this must load everything again. */
  reloadVersion: number;
}

export async function loadRingVersion(db: Queryable): Promise<RingVersion> {
  // The one row there is: no index needed.
  const rows = await db.query<{ version: number; reload_version: number }>(
    'select version, reload_version from key_ring_version',
  );
  return { version: rows[0]?.version ?? 0, reloadVersion: rows[0]?.reload_version ?? 0 };
}

/** At 20,000 keys a page takes about 20 MB on its way. */
const PAGE_ROWS = 20_000;

/** All keys that are not revoked, in pages. */
export async function* loadRing(
  db: Queryable,
  planOf: (row: PlanRow) => Plan,
): AsyncGenerator<ApiKey[]> {
  let after = '';
  for (;;) {
    // A page of keys in the order of the primary key, chosen before anything is joined: else a
    // store without statistics joins all that is left for every page.
    const rows = await db.query<KeyRow>(
      `with page as materialized (
         select id as page_id from api_key where id > $1 and revoked_at is null
          order by id limit ${PAGE_ROWS})
       select ${KEY_COLUMNS} from page join ${KEY_TABLES} on api_key.id = page_id
        order by page_id`,
      [after],
    );
    yield rows.map((row) => toApiKey(row, planOf));
    after = rows.at(-1)?.id ?? after;
    if (rows.length < PAGE_ROWS) return;
  }
}

/** Keys that changed, or whose customer did, after a version; revoked ones included. */
export async function loadChangedKeys(
  db: Queryable,
  version: number,
  planOf: (row: PlanRow) => Plan,
): Promise<ApiKey[]> {
  // Changed keys and the keys of changed customers, by the indexes on their versions.
  const rows = await db.query<KeyRow>(
    `select ${KEY_COLUMNS} from ${KEY_TABLES} where api_key.changed_version > $1
     union
     select ${KEY_COLUMNS} from ${KEY_TABLES} where customer.changed_version > $1`,
    [version],
  );
  return rows.map((row) => toApiKey(row, planOf));
}
