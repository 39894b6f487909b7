import type { Transaction } from '../../storage/db.ts';
import { lockEndpoints } from '../../webhooks/endpoint/lock-endpoints.ts';
import { createDeliveries } from '../../webhooks/queue/open-deliveries.ts';
import { saveBaselines } from '../../webhooks/subscription/baseline.ts';
import type { EngineDeps } from '../engine.ts';
import { loadSourceData, type TemplateSymbol } from '../source-data.ts';
import { loadSubjectSets } from './subject-sets.ts';
import { loadOutdated, type OutdatedEndpoint, saveFirstStates } from './outdated.ts';
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
type Subscriber = Subject & OutdatedEndpoint;

/**
 * Creates deliveries for the next subscribers to changed companies, except for subscribers that
 * have acknowledged the current data. Passes the endpoints of these subscribers to `onOpened`.
 * Returns false if nothing was queued.
 */
export async function fanOut(
  deps: EngineDeps,
  onOpened: (endpointIds: readonly string[]) => void = () => undefined,
): Promise<boolean> {
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
    onOpened([...new Set(subscribers.map(({ endpointId }) => endpointId))]);
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
  const setsOf = await loadSubjectSets(tx, subjects);
  const subscribers: Subscriber[] = [];
  const baselines: { templateId: string; symbol: string; data: string | null }[] = [];
  const select = async (subject: Subject, limit: number): Promise<void> => {
    const { queued } = subject;
    const data = dataOf(subject);
    const sets = setsOf(subject);
    const next = { ...queued, afterEndpoint: progress.get(queued) ?? queued.afterEndpoint };
    const { endpoints, last } =
      data === null ? NO_ENDPOINTS : await loadOutdated(tx, next, { data, sets }, limit);
    subscribers.push(...endpoints.map((endpoint) => ({ ...subject, ...endpoint })));
    progress.set(queued, last);
    const isComplete = last === null && queued.onlyEndpoint === '';
    if (isComplete && sets?.keepsBaseline === true) baselines.push({ ...queued, data });
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
  await saveBaselines(tx, baselines);
  return subscribers;
}

const NO_ENDPOINTS = { endpoints: [], last: null };

async function openFor(
  { clock, random, rule }: EngineDeps,
  tx: Transaction,
  subscribers: readonly Subscriber[],
): Promise<void> {
  const endpointIds = subscribers.map(({ endpointId }) => endpointId);
  const endpoints = await lockEndpoints(tx, endpointIds);
  const now = clock.now();
  await saveFirstStates(tx, subscribers.map(firstStateOf), now);
  const deliveries = subscribers.flatMap(({ template, symbol, queued, endpointId }) => {
    const endpoint = endpoints.get(endpointId);
    if (endpoint === undefined || endpoint.isDeleted) return [];
    const { templateId, eventType } = template;
    return [{ endpoint, templateId, eventType, symbol, changedAt: queued.changedAt }];
  });
  await createDeliveries({ tx, random, rule }, distinct(deliveries), { now });
}

function firstStateOf({ template, symbol, endpointId, firstState }: Subscriber) {
  return { templateId: template.templateId, symbol, endpointId, firstState };
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
