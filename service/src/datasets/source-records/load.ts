import type { Instant } from '../../platform/instant.ts';
import type { Queryable, Row } from '../../storage/db.ts';
import type { Observation, ObservationHistory } from './observation-history.ts';

interface RecordRow extends Row {
  id: number;
  subject: string;
  provider: string;
  feed: string;
  natural_key: string;
  fields: object;
  observed_at: Instant[];
  accepted: boolean;
}

/**
 * Loads all of a data set's histories for the entity keys. The type parameter is the data set's
 * observation type, which providers guarantee when they write rows.
 */
export async function loadHistories<Fields>(
  db: Queryable,
  dataset: string,
  entityKeys: Iterable<string>,
): Promise<ObservationHistory<Fields>[]> {
  const distinct = [...new Set(entityKeys)];
  if (distinct.length === 0) return [];
  // Returns one row per record with its observation times, in stable order. Uses the unique key of
  // source_record, which begins with data set and subject, and the primary key of sighting.
  const rows = await db.query<RecordRow>(
    `select r.id, r.subject, r.provider, r.feed, r.natural_key, r.fields,
            r.id in (select record_id from quarantine_decision
                      where decision = 'accepted' and record_id is not null) as accepted,
            (select array_agg(s.observed_at order by s.observed_at)
               from sighting s where s.record_id = r.id) as observed_at
       from source_record r
      where r.dataset = $1 and r.subject = any($2::text[])
      order by r.subject, r.provider, r.feed, r.natural_key, r.fields_sha256`,
    [dataset, distinct],
  );
  const histories: ObservationHistory<Fields>[] = [];
  for (const row of rows) {
    const last = histories.at(-1);
    const observations = observationsOf<Fields>(row);
    if (last !== undefined && belongsTo(last, row)) last.observations.push(...observations);
    else {
      const { provider, feed, subject: entityKey, natural_key: naturalKey } = row;
      histories.push({ provider, feed, entityKey, naturalKey, observations });
    }
  }
  // The rows of a history are already ordered by hash, and the sort is stable.
  for (const { observations } of histories) observations.sort((a, b) => a.at - b.at);
  return histories;
}

function observationsOf<Fields>(row: RecordRow): Observation<Fields>[] {
  const fields = row.fields as Fields;
  return row.observed_at.map((at) => ({
    at,
    recordId: row.id,
    fields,
    ...(row.accepted ? { isAccepted: true } : {}),
  }));
}

function belongsTo(history: ObservationHistory<unknown>, row: RecordRow): boolean {
  return (
    history.entityKey === row.subject &&
    history.provider === row.provider &&
    history.feed === row.feed &&
    history.naturalKey === row.natural_key
  );
}
