import type { Transaction } from '../../storage/db.ts';
import type { Actor } from '../audit-log.ts';

/**
 * Whether who makes a link for somebody may do so still; who was taken out may not. They stay as they
 * are until the transaction ends: who goes at this moment goes before or after, and in either case no
 * link of theirs stays.
 */
export async function mayMakeLinks(tx: Transaction, by: Actor): Promise<boolean> {
  if (by.kind !== 'person') return true;
  // At most one row, by the primary key. Shared: two who make links for each other do not wait in a
  // circle.
  const [maker] = await tx.query<{ may: boolean }>(
    `select disabled_at is null and role <> 'member' as may from person where id = $1 for share`,
    [by.id],
  );
  return maker?.may ?? false;
}
