import type { Queryable, Transaction } from '../../storage/db.ts';
import { lockEndpoints } from '../../webhooks/endpoint/lock-endpoints.ts';
import { createDeliveries } from '../../webhooks/queue/open-deliveries.ts';
import type { EngineDeps } from '../engine.ts';
import { loadSourceData, type TemplateSymbol } from '../source-data.ts';
import { type QueuedSubject, saveProgress, takeQueued } from './queue.ts';

/**
 * Maximum number of deliveries created per transaction, which is about a tenth of a second of work.
 */
const DELIVERIES_MAX = 1_000;
/**
 * Number of these deliveries reserved for the newest changes and given out in slices per change, so
 * that changes with few subscribers do not wait behind changes with many.
 */
const NEWEST_DELIVERIES_MAX = 500;
const NEWEST_SLICE = 50;
/** Maximum number of subjects taken from each end of the queue. */
const SUBJECTS_MAX = 100;

type Subject = TemplateSymbol & { queued: QueuedSubject };
type Subscriber = Subject & { endpointId: string };

/**
 * Creates deliveries for the next subscribers to changed companies, except for subscribers that
 * have acknowledged the current data. Returns false if nothing was queued.
 */
export async function fanOut(deps: EngineDeps): Promise<boolean> {
  const { db, templates } = deps;
  return db.transaction(async (tx) => {
    const queued = await takeQueued(tx, SUBJECTS_MAX);
    if (queued.length === 0) return false;
    const progress = new Map<QueuedSubject, string | null>();
    const subjects: Subject[] = [];
    for (const entry of queued) {
      const template = templates.find(({ templateId }) => templateId === entry.templateId);
      // Drops subjects whose template was removed.
      if (template === undefined) progress.set(entry, null);
      else subjects.push({ template, symbol: entry.symbol, queued: entry });
    }
    const subscribers = await selectSubscribers(deps, tx, subjects, progress);
    await openFor(deps, tx, subscribers);
    await saveProgress(tx, progress);
    return true;
  });
}

/** Selects the next subscribers, newest subjects first, and sets the progress of each subject. */
async function selectSubscribers(
  { clock }: EngineDeps,
  tx: Transaction,
  subjects: readonly Subject[],
  progress: Map<QueuedSubject, string | null>,
): Promise<Subscriber[]> {
  const dataOf = await loadSourceData(tx, subjects, clock.now());
  const subscribers: Subscriber[] = [];
  const select = async (subject: Subject, limit: number): Promise<void> => {
    const { queued } = subject;
    const data = dataOf(subject);
    const afterEndpoint = progress.get(queued) ?? queued.afterEndpoint;
    const ids =
      data === null ? [] : await loadOutdated(tx, { ...queued, afterEndpoint }, data, limit);
    subscribers.push(...ids.map((endpointId) => ({ ...subject, endpointId })));
    progress.set(queued, ids.length < limit ? null : (ids.at(-1) ?? null));
  };
  for (const subject of subjects.length > 1 ? subjects.toReversed() : []) {
    if (subscribers.length >= NEWEST_DELIVERIES_MAX) break;
    await select(subject, NEWEST_SLICE);
  }
  for (const subject of subjects) {
    if (subscribers.length >= DELIVERIES_MAX) break;
    if (progress.get(subject.queued) === null) continue;
    await select(subject, DELIVERIES_MAX - subscribers.length);
  }
  return subscribers;
}

async function openFor(
  { clock, random, rule }: EngineDeps,
  tx: Transaction,
  subscribers: readonly Subscriber[],
): Promise<void> {
  const endpointIds = subscribers.map(({ endpointId }) => endpointId);
  const endpoints = await lockEndpoints(tx, endpointIds);
  const deliveries = subscribers.flatMap(({ template, symbol, queued, endpointId }) => {
    const endpoint = endpoints.get(endpointId);
    if (endpoint === undefined || endpoint.isDeleted) return [];
    const { templateId, eventType } = template;
    return [{ endpoint, templateId, eventType, symbol, changedAt: queued.changedAt }];
  });
  await createDeliveries({ tx, random, rule }, distinct(deliveries), { now: clock.now() });
}

/**
 * Returns subscribed endpoints, ordered by id, that have not acknowledged the current data, may
 * have seen different data after acknowledging it, or have a delivery in flight.
 */
async function loadOutdated(
  db: Queryable,
  { templateId, symbol, onlyEndpoint, afterEndpoint }: QueuedSubject,
  data: string,
  limit: number,
): Promise<string[]> {
  // Returns at most `limit` rows, in the order of the primary key, using index delivery_in_flight.
  const rows = await db.query<{ endpointId: string }>(
    `select s.endpoint_id as "endpointId" from webhook_subscription s
      where s.template_id = $1 and s.symbol = $2
        and ${onlyEndpoint === '' ? 's.endpoint_id > $3' : 's.endpoint_id = $3'}
        and (s.answered_data is distinct from $4 or s.named_fields <> '{}'
             or exists (select 1 from delivery d where d.endpoint_id = s.endpoint_id
                           and d.symbol = s.symbol and d.state = 'in_progress'))
      order by s.endpoint_id limit $5`,
    [templateId, symbol, onlyEndpoint === '' ? afterEndpoint : onlyEndpoint, data, limit],
  );
  return rows.map(({ endpointId }) => endpointId);
}

/**
 * Removes duplicates, because a subject may be queued for all subscribers and for a single
 * subscriber at the same time.
 */
function distinct<T extends { endpoint: { id: string }; templateId: string; symbol: string }>(
  deliveries: readonly T[],
): T[] {
  const byKey = new Map(
    deliveries.map((delivery) => {
      const { endpoint, templateId, symbol } = delivery;
      return [`${endpoint.id} ${templateId} ${symbol}`, delivery];
    }),
  );
  return [...byKey.values()];
}
