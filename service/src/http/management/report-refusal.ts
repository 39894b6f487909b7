import type { Queryable } from '../../storage/db.ts';
import { ownersOf } from '../../webhooks/owner-of.ts';
import { problem } from '../problems.ts';
import type { SecurityEvents } from '../security-events.ts';
import { type Caller, customerOf, isOperator } from './caller.ts';
import type { CallResult, Route } from './route.ts';

export const CROSS_ORIGIN = problem(
  'forbidden',
  'Changes with a session cookie are accepted only from pages of this service.',
);

interface RefusedCall {
  route: Route;
  caller: Caller | null;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, unknown>>;
  address: string;
}

/** Reports a refused call if it may be part of an attack. */
export function reportRefusal(
  { db, security }: { db: Queryable; security: SecurityEvents | undefined },
  call: RefusedCall,
  result: CallResult,
): void {
  if (result.kind !== 'rejected' || security === undefined) return;
  const { route, caller, address } = call;
  const sample = {
    call: route.name,
    caller: caller === null ? null : caller.kind === 'key' ? caller.key.id : caller.person.id,
    customerId: caller === null ? null : customerOf(caller),
  };
  const { code, members } = result.problem;
  if (result.problem === CROSS_ORIGIN) {
    security.record('cross_origin', address, sample);
  } else if (code === 'forbidden') {
    security.record('forbidden', address, sample);
  } else if (code === 'invalid-parameter' && members?.['parameter'] === 'url') {
    security.record('webhook_address', address, sample);
  } else if (code === 'not-found' && caller !== null && !isOperator(caller)) {
    // The client does not wait, so that the time of the response does not tell whether the ID exists.
    findForeignId(db, call)
      .then((subject) => {
        if (subject !== null) security.record('foreign_id', address, { ...sample, subject });
      })
      .catch(() => undefined);
  }
}

/** Returns the first ID in the call that belongs to other customers and not to the caller's. */
async function findForeignId(
  db: Queryable,
  { caller, params, query }: RefusedCall,
): Promise<string | null> {
  const values = [...Object.values(params), ...Object.values(query)];
  const texts = values.filter((value) => typeof value === 'string');
  const ownId = caller === null ? null : customerOf(caller);
  const owners = await ownersOf(db, texts);
  const ownIds = new Set(
    owners.flatMap(({ id, customerId }) => (customerId === ownId ? [id] : [])),
  );
  return owners.find(({ id }) => !ownIds.has(id))?.id ?? null;
}
