import { lockEndpoints } from '../../webhooks/endpoint/lock-endpoints.ts';
import { openDeliveries } from '../../webhooks/queue/open-deliveries.ts';
import type { Queryable } from '../../storage/db.ts';
import type { EngineDeps } from '../engine.ts';
import { loadSourceData, type TemplateSymbol } from '../source-data.ts';
import { type QueuedSubject, settleQueued, takeQueued } from './queue.ts';

/** Deliveries opened in one transaction, at most: about a tenth of a second of work. */
const SUBSCRIBERS_MAX = 1_000;
/** So many of them are kept for the newest changes, so many a change: few wait behind the many. */
const NEWEST_SUBSCRIBERS_MAX = 500;
const NEWEST_SLICE = 50;
/** At either end of the queue. */
const SUBJECTS_MAX = 100;

/**
 * Opens deliveries for the next lot of those who watch changed companies and do not know the data as
 * they stand. Returns false when nothing was queued.
 */
export async function fanOut(deps: EngineDeps): Promise<boolean> {
  const { db, clock, templates } = deps;
  return db.transaction(async (tx) => {
    const queued = await takeQueued(tx, SUBJECTS_MAX);
    if (queued.length === 0) return false;
    const wanted = queued.flatMap((subject): (TemplateSymbol & { subject: QueuedSubject })[] => {
      const template = templates.find(({ templateId }) => templateId === subject.templateId);
      return template === undefined ? [] : [{ template, symbol: subject.symbol, subject }];
    });
    const dataOf = await loadSourceData(tx, wanted, clock.now());
    const told: (TemplateSymbol & { subject: QueuedSubject; endpointId: string })[] = [];
    const places = new Map<QueuedSubject, string | null>();
    const tell = async (one: (typeof wanted)[number], countMax: number): Promise<void> => {
      const { subject } = one;
      const data = dataOf(one);
      const from = { ...subject, afterEndpoint: places.get(subject) ?? subject.afterEndpoint };
      const ids = data === null ? [] : await uninformed(tx, from, data, countMax);
      told.push(...ids.map((endpointId) => ({ ...one, endpointId })));
      places.set(subject, ids.length < countMax ? null : (ids.at(-1) ?? null));
    };
    for (const one of wanted.length > 1 ? wanted.toReversed() : []) {
      if (told.length >= NEWEST_SUBSCRIBERS_MAX) break;
      await tell(one, NEWEST_SLICE);
    }
    for (const one of wanted) {
      if (told.length >= SUBSCRIBERS_MAX) break;
      if (places.get(one.subject) !== null) await tell(one, SUBSCRIBERS_MAX - told.length);
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
