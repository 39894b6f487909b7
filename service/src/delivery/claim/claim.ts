import type { Instant } from '../../platform/instant.ts';
import { memoize } from '../../platform/memoize.ts';
import type { Transaction } from '../../storage/db.ts';
import { changedFields } from '../../webhooks/message/changed-fields.ts';
import type { SigningSecrets } from '../../webhooks/message/delivery-headers.ts';
import { parseData } from '../../webhooks/message/payload.ts';
import { makeDeliveryId } from '../../webhooks/queue/delivery-id.ts';
import { insertDeliveries, supersede } from '../../webhooks/queue/open-deliveries.ts';
import type { Template } from '../../webhooks/templates/template.ts';
import type { EngineDeps } from '../engine.ts';
import type { Opened } from '../fan-out/fan-out.ts';
import { loadSourceData, type SourceData, type TemplateSymbol } from '../source-data.ts';
import { type ClaimedDelivery, SEND_WITHIN_MS, toClaimed } from './claimed-delivery.ts';
import { type DueDelivery, type DueEndpointCache, findSendable } from './due-endpoints.ts';
import { scheduleDue, scheduleFrom, type ScheduledDelivery, type Slots } from './scheduler.ts';
import { writeCancelled, writeClaim } from './write-claim.ts';

const TOKEN_BYTES = 12;

export interface ClaimDeps extends EngineDeps {
  /**
   * Loads the endpoints' signing secrets in the claim's transaction, because sending needs them
   * right after it.
   */
  loadSecrets?(tx: Transaction, endpointIds: readonly string[]): Promise<EndpointSecrets>;
  /**
   * Search results shared by all claims in a round. Without this cache, each claim runs its own
   * search for endpoints with due deliveries.
   */
  dueEndpoints?: DueEndpointCache;
}

type EndpointSecrets = ReadonlyMap<string, SigningSecrets>;

export interface ClaimResult {
  deliveries: ClaimedDelivery[];
  /** Signing secrets, keyed by endpoint. Empty without `loadSecrets`. */
  secrets: EndpointSecrets;
  /** Endpoint after which the next claim starts. */
  cursor: string;
  /** True if this claim took or closed any deliveries, so more may be due. */
  hasMore: boolean;
}

/**
 * Claims due deliveries for the free slots and renders their bodies from current data, all in one
 * transaction. The deliveries may be sent only after it commits.
 */
export async function claimDue(
  deps: ClaimDeps,
  slots: Slots,
  cursor: string,
): Promise<ClaimResult> {
  const { db, clock } = deps;
  const sendByMs = clock.monotonicMs() + SEND_WITHIN_MS;
  // Runs in a single transaction, so that the only connection to the embedded store is acquired
  // once.
  const claim = async (tx: Transaction): Promise<ClaimResult> => {
    const options = { slots, cursor, now: clock.now(), cache: deps.dueEndpoints };
    const { scheduled, cursor: nextCursor } = await scheduleDue(tx, options);
    const claimed = await claimScheduled(deps, tx, { scheduled, sendByMs });
    return { ...claimed, cursor: nextCursor };
  };
  // Uses cached plans, because planning costs as much as a dozen deliveries.
  return db.transaction(claim, { keepsPlans: true });
}

/**
 * Claims deliveries in the transaction that has opened them, so that a single change needs no
 * second one. They may be sent only after it commits.
 */
export async function claimOpened(
  deps: ClaimDeps,
  tx: Transaction,
  opened: Opened,
  slots: Slots,
): Promise<ClaimResult> {
  const { clock, dueEndpoints: cache } = deps;
  const sendByMs = clock.monotonicMs() + SEND_WITHIN_MS;
  const { endpoints: locked } = opened;
  const cached = await findSendable(tx, [...locked.keys()]);
  const options = { slots, cursor: '', now: clock.now(), cache, locked };
  const { scheduled } = await scheduleFrom(tx, options, cached);
  const claimed = await claimScheduled(deps, tx, { scheduled, sendByMs, opened });
  const claimedIds = new Set(claimed.deliveries.map(({ id }) => id));
  const hasMore = !opened.deliveryIds.every((id) => claimedIds.has(id));
  return { ...claimed, cursor: '', hasMore };
}

interface Scheduled {
  scheduled: readonly ScheduledDelivery[];
  sendByMs: number;
  /** Data that the transaction has loaded already. */
  opened?: Pick<Opened, 'subjects' | 'dataOf'>;
}

async function claimScheduled(
  deps: ClaimDeps,
  tx: Transaction,
  options: Scheduled,
): Promise<Omit<ClaimResult, 'cursor'>> {
  const noSecrets: EndpointSecrets = new Map();
  const { scheduled } = options;
  if (scheduled.length === 0) return { deliveries: [], secrets: noSecrets, hasMore: false };
  const endpointIds = [...new Set(scheduled.map(({ endpoint }) => endpoint.id))];
  const [secrets, { deliveries, closedCount }] = await Promise.all([
    deps.loadSecrets?.(tx, endpointIds) ?? noSecrets,
    prepare(deps, tx, options),
  ]);
  return { deliveries, secrets, hasMore: deliveries.length + closedCount > 0 };
}

async function prepare(
  deps: EngineDeps,
  tx: Transaction,
  { scheduled, sendByMs, opened }: Scheduled,
): Promise<{ deliveries: ClaimedDelivery[]; closedCount: number }> {
  const { clock, random, templates, rule } = deps;
  const now = clock.now();
  const current: (ScheduledDelivery & { template: Template; symbol: string })[] = [];
  const cancelled: { id: string; code: string }[] = [];
  for (const { delivery, endpoint } of scheduled) {
    const { id, templateId, symbol } = delivery;
    const template = templates.find((candidate) => candidate.templateId === templateId);
    // Cancels deliveries whose template was removed or whose endpoint was deleted.
    if (template === undefined || endpoint.isDeleted) cancelled.push({ id, code: 'cancelled' });
    else current.push({ delivery, endpoint, template, symbol });
  }
  const dataOf = dataFor(current, opened) ?? (await loadSourceData(tx, current, now));
  const token = Buffer.from(random.bytes(TOKEN_BYTES)).toString('base64url');
  const parse = memoize(parseData);
  const superseded: ScheduledDelivery[] = [];
  const claims: ClaimedDelivery[] = [];
  for (const subject of current) {
    const { delivery, template } = subject;
    const { id } = delivery;
    const data = dataOf(subject);
    // If the rule lets changes join a delivery that may have been sent, the delivery may also be
    // sent with different data under the same id.
    const pending = { id, maybeSent: delivery.maybeSent };
    const maySendOtherData = rule !== undefined && rule(pending).kind === 'absorb';
    const decision = decide(delivery, template, data, { maySendOtherData, parse });
    if (decision.kind === 'cancel') cancelled.push({ id, code: decision.code });
    else if (decision.kind === 'supersede') superseded.push(subject);
    else {
      const { changedFields: fields } = decision;
      const content = { template, data: data ?? '', changedFields: fields, token };
      const place = claims.length + 1;
      claims.push(toClaimed(subject, { ...content, place, now, sendByMs }));
    }
  }
  await writeCancelled(tx, cancelled, now);
  await replace(deps, tx, superseded);
  await writeClaim(tx, claims, now);
  return { deliveries: claims, closedCount: cancelled.length + superseded.length };
}

/** Returns the data that is known already, or null unless it covers all subjects. */
function dataFor(
  subjects: readonly TemplateSymbol[],
  opened: Scheduled['opened'],
): SourceData | null {
  if (opened === undefined) return null;
  const isCovered = ({ template, symbol }: TemplateSymbol): boolean =>
    opened.subjects.some((known) => known.template === template && known.symbol === symbol);
  return subjects.every(isCovered) ? opened.dataOf : null;
}

type Decision =
  | { kind: 'send'; changedFields: readonly string[] }
  /**
   * Cancels the delivery, because nothing has changed, the company has no data or the subscription
   * was removed.
   */
  | { kind: 'cancel'; code: 'no_change' | 'cancelled' }
  /**
   * The receiver may have seen this id with different data, so a new delivery replaces this one.
   */
  | { kind: 'supersede' };

/**
 * Decides what to do with a due delivery, given the current data for its company (null if there is
 * none). A retry lists the same fields as the first attempt, so that an id always has the same
 * body.
 */
function decide(
  delivery: DueDelivery,
  template: Template,
  data: string | null,
  { maySendOtherData, parse }: { maySendOtherData: boolean; parse: typeof parseData },
): Decision {
  const { maybeSent, sentData, namedFields, acknowledgedData } = delivery;
  if (data === null) return { kind: 'cancel', code: 'cancelled' };
  if (namedFields === null && !delivery.isTest) return { kind: 'cancel', code: 'cancelled' };
  if (maybeSent && sentData === data) {
    return { kind: 'send', changedFields: delivery.changedFields };
  }
  if (maybeSent && !maySendOtherData) return { kind: 'supersede' };
  if (delivery.namesAll || namedFields === null) {
    return { kind: 'send', changedFields: template.fields };
  }
  const changed = changedFields(template.fields, parse(data), {
    acknowledged: acknowledgedData === null ? null : parse(acknowledgedData),
    maybeSeen: namedFields,
  });
  if (changed.length === 0) return { kind: 'cancel', code: 'no_change' };
  return { kind: 'send', changedFields: changed };
}

/**
 * Replaces deliveries by new ones, because they may have been sent with data that has changed
 * since.
 */
async function replace(
  { clock, random }: EngineDeps,
  tx: Transaction,
  superseded: readonly ScheduledDelivery[],
): Promise<void> {
  const now: Instant = clock.now();
  const successors = superseded.map(({ delivery, endpoint }) => ({
    id: makeDeliveryId(now, random),
    endpoint,
    templateId: delivery.templateId,
    eventType: delivery.eventType,
    symbol: delivery.symbol,
    changedAt: delivery.changedAt,
    namesAll: delivery.namesAll,
    isTest: delivery.isTest,
    now,
  }));
  const pairs = superseded.map(({ delivery }, i) => ({
    id: delivery.id,
    by: successors[i]?.id ?? '',
  }));
  await supersede(tx, pairs, now);
  await insertDeliveries(tx, successors);
}
