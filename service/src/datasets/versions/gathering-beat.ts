import type { Instant } from '../../platform/instant.ts';
import type { Db } from '../../storage/db.ts';

/**
 * Writes the next beat of the gathering store, for the cells that follow it: it shows them how old
 * their facts are, ends the present instant, and counts the changes since the beat before. Waits
 * for a running writer of versions.
 */
export function writeGatheringBeat(db: Db, now: Instant): Promise<void> {
  return db.transaction(async (tx) => {
    // Locks the only row, so that no change is committed between the count and this commit.
    await tx.query(
      `insert into version_clock as c (at) values (to_timestamp($1 / 1000.0))
       on conflict (only_row) do update set at = greatest(c.at, excluded.at)`,
      [now],
    );
    // Updates the only row. Reads the changes since the last beat by the primary key.
    await tx.query(
      `with last as (
         select coalesce(max(number), 0) as number,
                coalesce(max(newest_change_id), 0) as change_id from gathering_beat),
       newest as (
         select greatest(max(id), (select change_id from last)) as change_id,
                count(*)::int4 as count
           from change_record where id > (select change_id from last))
       insert into gathering_beat as b (number, beat_at, newest_change_id, change_count)
       select last.number + 1, clock_timestamp(), newest.change_id, newest.count from last, newest
       on conflict (is_only) do update
         set number = excluded.number, beat_at = excluded.beat_at,
             newest_change_id = excluded.newest_change_id, change_count = excluded.change_count`,
    );
  });
}
