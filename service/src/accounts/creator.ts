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
