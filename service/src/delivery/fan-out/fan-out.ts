import type { Security } from '../../datasets/securities/row.ts';
import type { Transaction } from '../../storage/db.ts';
import { type LockedEndpoint, lockEndpoints } from '../../webhooks/endpoint/lock-endpoints.ts';
import { createDeliveries } from '../../webhooks/queue/open-deliveries.ts';
import { saveBaselines, type TemplateSets } from '../../webhooks/subscription/baseline.ts';
import type { EngineDeps } from '../engine.ts';
import { loadSourceData, type SourceData, type TemplateSymbol } from '../source-data.ts';
import { loadSubjectSets, type SubjectSetsOf } from './subject-sets.ts';
import { loadOutdated, type OutdatedEndpoint, saveFirstStates } from './outdated.ts';
import {
  type ChangedSubject,
  type QueuedSubject,
  queueRest,
  saveProgress,
  takeQueued,
} from './queue.ts';

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

/** Deliveries that a transaction has created or found pending. */
export interface Opened {
  deliveryIds: readonly string[];
  /** Locked by the transaction, by id. */
  endpoints: ReadonlyMap<string, LockedEndpoint>;
  /** The data of these companies, as loaded by the transaction. */
  subjects: readonly TemplateSymbol[];
  dataOf: SourceData;
}

/** Called in a transaction that has opened deliveries, at its end. */
export type OnOpened = (tx: Transaction, opened: Opened) => Promise<void> | void;

/**
 * Creates deliveries for the next subscribers to queued companies, except for subscribers that
 * have acknowledged the current data. Returns false if nothing was queued.
 */
export async function fanOut(deps: EngineDeps, onOpened?: OnOpened): Promise<boolean> {
  return deps.db.transaction(
    async (tx) => {
      const queued = await takeQueued(tx, SUBJECTS_MAX);
      if (queued.length === 0) return false;
      await open(deps, tx, { queued, save: (progress) => saveProgress(tx, progress), onOpened });
      return true;
    },
    { keepsPlans: true },
  );
}

/**
 * Creates deliveries for the subscribers to changed companies that are not in the queue. Queues
 * the companies that have more subscribers than a transaction serves. Returns true if there are any.
 */
export async function fanOutChanged(
  deps: EngineDeps,
  tx: Transaction,
  options: {
    changed: readonly ChangedSubject[];
    securities: readonly Security[] | null;
    templateSets: ReadonlyMap<string, TemplateSets>;
    onOpened: OnOpened | undefined;
  },
): Promise<boolean> {
  const { changed, ...rest } = options;
  const queued = changed.map((subject) => ({ ...subject, onlyEndpoint: '', afterEndpoint: '' }));
  let hasRest = false;
  await open(deps, tx, {
    ...rest,
    queued,
    async save(progress) {
      const incomplete = queued.filter((subject) => progress.get(subject) !== null);
      hasRest = incomplete.length > 0;
      await queueRest(tx, incomplete, progress);
    },
  });
  return hasRest;
}

interface OpenOptions {
  queued: readonly QueuedSubject[];
  /** All securities that ever had one of the symbols, if they are known. */
  securities?: readonly Security[] | null;
  templateSets?: ReadonlyMap<string, TemplateSets> | null;
  save(progress: ReadonlyMap<QueuedSubject, string | null>): Promise<void>;
  onOpened?: OnOpened | undefined;
}

async function open(deps: EngineDeps, tx: Transaction, options: OpenOptions): Promise<void> {
  const { queued, securities = null, templateSets = null, save, onOpened } = options;
  const progress = new Map<QueuedSubject, string | null>();
  const subjects: Subject[] = [];
  for (const entry of queued) {
    const template = deps.templates.find(({ templateId }) => templateId === entry.templateId);
    // Drops subjects whose template was removed.
    if (template === undefined) progress.set(entry, null);
    else subjects.push({ template, symbol: entry.symbol, queued: entry });
  }
  const dataOf = await loadSourceData(tx, subjects, deps.clock.now(), securities);
  const setsOf = await loadSubjectSets(tx, subjects, templateSets);
  const subscribers = await selectSubscribers(tx, subjects, { dataOf, setsOf, progress });
  // Before the endpoints are locked, because rows of the queue are locked first everywhere.
  await save(progress);
  if (subscribers.length === 0) return;
  const opened = await openFor(deps, tx, subscribers);
  await onOpened?.(tx, { ...opened, subjects, dataOf });
}

/** Selects the next subscribers, newest subjects first, and sets the progress of each subject. */
async function selectSubscribers(
  tx: Transaction,
  subjects: readonly Subject[],
  options: {
    dataOf: SourceData;
    setsOf: SubjectSetsOf;
    progress: Map<QueuedSubject, string | null>;
  },
): Promise<Subscriber[]> {
  const { dataOf, setsOf, progress } = options;
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
): Promise<Pick<Opened, 'deliveryIds' | 'endpoints'>> {
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
  const distinctDeliveries = distinct(deliveries);
  const deliveryIds = await createDeliveries({ tx, random, rule }, distinctDeliveries, { now });
  return { deliveryIds, endpoints };
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
