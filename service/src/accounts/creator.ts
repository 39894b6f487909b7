import type { Transaction } from '../storage/db.ts';
import type { Actor } from './audit-log.ts';

/** The person, key or process that created an object, as recorded at that time. */
export type Creator = Pick<Actor, 'kind' | 'id' | 'label'>;

/** The creator of a new object, and the person who is responsible for the object. */
export interface Creation {
  createdBy: Creator;
  /** If a key created the object, the person who is responsible for the key. */
  createdByPerson: string | null;
}

/** Returns the creator for an object that the actor creates. */
export async function creationBy(tx: Transaction, actor: Actor): Promise<Creation> {
  const { kind, id, label } = actor;
  const createdBy = { kind, id, label };
  if (kind !== 'key') return { createdBy, createdByPerson: kind === 'person' ? id : null };
  const [key] = await tx.query<{ person: string | null }>(
    'select created_by_person as person from api_key where id = $1',
    [id],
  );
  return { createdBy, createdByPerson: key?.person ?? null };
}

/**
 * Returns a condition for the rows of a table that person $1 is responsible for as a member of customer
 * $2. If that is null, as an operator: those of all customers of which they are not also a member.
 */
export function createdAs(table: string): string {
  return `${table}.created_by_person = $1
    and case when $2::text is not null then ${table}.customer_id = $2
             else not exists (select 1 from membership m where m.person_id = $1
                                 and m.customer_id = ${table}.customer_id) end`;
}
