import type { RestoreFixup } from '../../storage/backup/load-backup.ts';

/**
 * What a restored store must not go on believing. Deliveries that were under way lose their lease:
 * the worker finds them as those of a process that died, so that they are sent again with the same id.
 * Nobody stays signed in: a session that was ended after the backup would come back.
 */
export const SETTLE: readonly RestoreFixup[] = [
  {
    table: 'delivery',
    // Those under way, by index delivery_in_flight.
    sql: `update delivery set lease_until = to_timestamp(0) where state = 'in_progress'`,
  },
  { table: 'session', sql: 'delete from session' },
];
