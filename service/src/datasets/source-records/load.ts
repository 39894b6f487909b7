import type { Queryable, Row } from '../../storage/db.ts';
import type { ObservationHistory } from './observation-history.ts';

interface LoadedRow extends Row {
  id: number;
  subject: string;
  provider: string;
  feed: string;
  natural_key: string;
  fields: object;
  seen_at: number[];
  hash: string;
  accepted: boolean;
}

/**
 * All threads of a data set about the subjects. The type parameter is the data set's observation:
 * rows were checked against it by the provider that wrote them.
 */
export async function loadHistories<Fields>(
  db: Queryable,
  dataset: string,
  entityKeys: Iterable<string>,
): Promise<ObservationHistory<Fields>[]> {
  const wanted = [...new Set(entityKeys)];
  if (wanted.length === 0) return [];
  // One row a record with its observation times, in stable order; by the unique key of
  // source_record (dataset, subject, …) and the primary key of sighting.
  const rows = await db.query<LoadedRow>(
    `select r.id, r.subject, r.provider, r.feed, r.natural_key, r.fields,
            encode(r.fields_sha256, 'hex') as hash,
            r.id in (select record_id from quarantine_decision
                      where decision = 'accepted' and record_id is not null) as accepted,
            (select array_agg(s.observed_at order by s.observed_at)
               from sighting s where s.record_id = r.id) as seen_at
       from source_record r
      where r.dataset = $1 and r.subject = any($2::text[])
      order by r.subject, r.provider, r.feed, r.natural_key, r.fields_sha256`,
    [dataset, wanted],
  );
  return historiesOf<Fields>(rows);
}

function historiesOf<Fields>(rows: readonly LoadedRow[]): ObservationHistory<Fields>[] {
  const histories: ObservationHistory<Fields>[] = [];
  const order = new Map<number, string>();
  let open: ObservationHistory<Fields> | undefined;
  for (const row of rows) {
    if (open === undefined || !belongsTo(open, row)) {
      open = {
        provider: row.provider,
        feed: row.feed,
        entityKey: row.subject,
        naturalKey: row.natural_key,
        observations: [],
      };
      histories.push(open);
    }
    order.set(row.id, row.hash);
    for (const at of row.seen_at) {
      const observation = { at, recordId: row.id, fields: row.fields as Fields };
      open.observations.push(row.accepted ? { ...observation, isAccepted: true } : observation);
    }
  }
  for (const history of histories) {
    history.observations.sort(
      (a, b) => a.at - b.at || compare(order.get(a.recordId), order.get(b.recordId)),
    );
  }
  return histories;
}

function belongsTo(history: ObservationHistory<unknown>, row: LoadedRow): boolean {
  return (
    history.entityKey === row.subject &&
    history.provider === row.provider &&
    history.feed === row.feed &&
    history.naturalKey === row.natural_key
  );
}

function compare(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
