import { lockEndpoints } from '../../deliveries/lock-endpoints.ts';
import { openDeliveries } from '../../deliveries/open-deliveries.ts';
import type { Queryable } from '../../storage/db.ts';
import type { EngineDeps } from '../engine.ts';
import { loadSourceData } from '../source-data.ts';
import type { Wanted } from '../source-data.ts';
import { settleQueued, takeQueued } from './queue.ts';
import type { QueuedSubject } from './queue.ts';

/** Deliveries opened in one transaction, at most: about a tenth of a second of work. */
const SUBSCRIBERS_MAX = 1_000;
const SUBJECTS_MAX = 200;

/**
 * Opens deliveries for the next lot of those who watch changed companies and do not know the data as
 * they stand. Returns false when nothing was queued.
 */
export async function fanOut(deps: EngineDeps): Promise<boolean> {
  const { db, clock, templates } = deps;
  return db.transaction(async (tx) => {
    const queued = await takeQueued(tx, SUBJECTS_MAX);
    if (queued.length === 0) return false;
    const wanted = queued.flatMap((subject): (Wanted & { subject: QueuedSubject })[] => {
      const template = templates.find(({ templateId }) => templateId === subject.templateId);
      return template === undefined ? [] : [{ template, symbol: subject.symbol, subject }];
    });
    const dataOf = await loadSourceData(tx, wanted, clock.now());
    const told: (Wanted & { subject: QueuedSubject; endpointId: string })[] = [];
    const places = new Map<QueuedSubject, string | null>();
    for (const one of wanted) {
      const left = SUBSCRIBERS_MAX - told.length;
      if (left <= 0) break;
      const data = dataOf(one);
      const ids = data === null ? [] : await uninformed(tx, one.subject, data, left);
      told.push(...ids.map((endpointId) => ({ ...one, endpointId })));
      places.set(one.subject, ids.length < left ? null : (ids.at(-1) ?? null));
    }
    const endpoints = await lockEndpoints(
      tx,
      told.map(({ endpointId }) => endpointId),
    );
    const subjects = told.flatMap(({ template, symbol, subject, endpointId }) => {
      const endpoint = endpoints.get(endpointId);
      if (endpoint === undefined || endpoint.isDeleted) return [];
      const { templateId, eventType } = template;
      return [{ endpoint, templateId, eventType, symbol, changedAt: subject.changedAt }];
    });
    const opener = { tx, random: deps.random, rule: deps.rule };
    await openDeliveries(opener, distinct(subjects), { now: clock.now() });
    for (const subject of queued) {
      // A template that is no longer there speaks of nothing.
      if (!wanted.some((one) => one.subject === subject)) places.set(subject, null);
    }
    await settleQueued(tx, places);
    return true;
  });
}

/**
 * Endpoints that watch a company and were answered 2xx with other data last, or may have heard of
 * something since, or hear of it right now, in order of ids.
 */
async function uninformed(
  db: Queryable,
  { templateId, symbol, onlyEndpoint, afterEndpoint }: QueuedSubject,
  data: string,
  limit: number,
): Promise<string[]> {
  // At most `limit` rows, by the primary key from the place reached, and delivery_in_flight.
  const rows = await db.query<{ endpoint_id: string }>(
    `select s.endpoint_id from webhook_subscription s
      where s.template_id = $1 and s.symbol = $2
        and ${onlyEndpoint === '' ? 's.endpoint_id > $3' : 's.endpoint_id = $3'}
        and (s.answered_data is distinct from $4 or s.named_fields <> '{}'
             or exists (select 1 from delivery d where d.endpoint_id = s.endpoint_id
                           and d.symbol = s.symbol and d.state = 'in_progress'))
      order by s.endpoint_id limit $5`,
    [templateId, symbol, onlyEndpoint === '' ? afterEndpoint : onlyEndpoint, data, limit],
  );
  return rows.map((row) => row.endpoint_id);
}

/** A subject may be queued for all and for one. */
function distinct<T extends { endpoint: { id: string }; templateId: string; symbol: string }>(
  subjects: readonly T[],
): T[] {
  const byKey = new Map(
    subjects.map((one) => [`${one.endpoint.id} ${one.templateId} ${one.symbol}`, one]),
  );
  return [...byKey.values()];
}
