import { IN_FLIGHT_PER_ENDPOINT, pickFairly } from '../../deliveries/fairness.ts';
import type { Slots } from '../../deliveries/fairness.ts';
import { insertDeliveries, supersede } from '../../deliveries/open-deliveries.ts';
import { lockEndpoints } from '../../deliveries/lock-endpoints.ts';
import type { LockedEndpoint } from '../../deliveries/lock-endpoints.ts';
import { makeDeliveryId } from '../../deliveries/delivery-id.ts';
import { parseData, renderPayload } from '../../deliveries/payload.ts';
import type { Transaction } from '../../storage/db.ts';
import type { EngineDeps } from '../engine.ts';
import { loadSourceData } from '../source-data.ts';
import type { Template } from '../templates/template.ts';
import { SEND_WITHIN_MS } from './claimed.ts';
import type { Claimed } from './claimed.ts';
import { decide } from './decide.ts';
import { loadInFlight, findLanes, loadCandidates } from './lanes.ts';
import type { Candidate } from './lanes.ts';
import {
  loadSubscriptionStates,
  subscriptionKey,
  writeCancelled,
  writeClaims,
} from './write-claims.ts';
import type { ClaimRow } from './write-claims.ts';

/** Endpoints locked in one claim, at most. */
const LANES_MAX = 128;
/** Looked at beyond what the slots need, since some wait for others of their company. */
const WAITING_MAX = 8;

export interface ClaimResult {
  claimed: Claimed[];
  /** Go on after this endpoint: they come in turn. */
  after: string;
  /** Something was done, so that more may be due. */
  isBusy: boolean;
}

/**
 * Takes due deliveries for the free slots, builds their bodies from the store as it stands, and marks
 * them as under way, all in one transaction: only then may they be sent.
 */
export async function claimDue(
  deps: EngineDeps,
  slots: Slots,
  after: string,
): Promise<ClaimResult> {
  const { db, clock } = deps;
  const startedMs = clock.monotonicMs();
  const limit = Math.min(slots.free, LANES_MAX);
  const lanes = await findLanes(db, { after, limit, now: clock.now() });
  if (lanes.ids.length === 0) return { claimed: [], after: lanes.after, isBusy: false };
  return db.transaction(async (tx) => {
    const endpoints = await lockEndpoints(tx, lanes.ids, { skipLocked: true });
    const picked = await pickCandidates(tx, lanes.ids, endpoints, slots, clock.now());
    const { claimed, ended } = await prepare(deps, tx, picked, startedMs + SEND_WITHIN_MS);
    return { claimed, after: lanes.after, isBusy: claimed.length + ended > 0 };
  });
}

interface Picked {
  candidate: Candidate;
  endpoint: LockedEndpoint;
}

/** The deliveries whose turn it is, at most one of an endpoint and company. */
async function pickCandidates(
  tx: Transaction,
  laneIds: readonly string[],
  endpoints: ReadonlyMap<string, LockedEndpoint>,
  slots: Slots,
  now: number,
): Promise<Picked[]> {
  const ids = laneIds.filter((id) => endpoints.has(id));
  if (ids.length === 0) return [];
  const inFlight = await loadInFlight(tx, ids);
  const share = Math.min(Math.ceil(slots.free / ids.length), IN_FLIGHT_PER_ENDPOINT);
  const candidates = await loadCandidates(tx, ids, { perEndpoint: share + WAITING_MAX, now });
  const ofLane = Map.groupBy(candidates, ({ endpointId }) => endpointId);
  const queues = ids.flatMap((id) => {
    const endpoint = endpoints.get(id);
    if (endpoint === undefined || endpoint.isDeleted) return [];
    const due = (ofLane.get(id) ?? []).filter(({ isTest }) => isTest || !endpoint.isDisabled);
    const companies = new Set(inFlight.get(id));
    const queue = due.filter(({ symbol }) => !companies.has(symbol) && companies.add(symbol));
    return [{ endpoint, queue }];
  });
  const counts = pickFairly(
    queues.map(({ endpoint, queue }) => ({
      endpointId: endpoint.id,
      customerId: endpoint.customerId,
      isSlow: endpoint.health.isSlow,
      dueCount: queue.length,
      inFlight: inFlight.get(endpoint.id)?.size ?? 0,
    })),
    slots,
  );
  return queues.flatMap(({ endpoint, queue }) =>
    queue.slice(0, counts.get(endpoint.id) ?? 0).map((candidate) => ({ candidate, endpoint })),
  );
}

async function prepare(
  deps: EngineDeps,
  tx: Transaction,
  picked: readonly Picked[],
  sendByMs: number,
): Promise<{ claimed: Claimed[]; ended: number }> {
  if (picked.length === 0) return { claimed: [], ended: 0 };
  const { clock, random, templates, rule } = deps;
  const now = clock.now();
  const known = picked.flatMap((one) => {
    const template = templates.find(({ templateId }) => templateId === one.candidate.templateId);
    return template === undefined ? [] : [{ ...one, template, symbol: one.candidate.symbol }];
  });
  const dataOf = await loadSourceData(tx, known, now);
  const states = await loadSubscriptionStates(
    tx,
    picked.map(({ candidate }) => candidate),
  );
  const cancelled: { id: string; code: string }[] = [];
  const replaced: Picked[] = [];
  const claimed: Claimed[] = [];
  const rows: ClaimRow[] = [];
  for (const one of known) {
    const { candidate } = one;
    const data = dataOf(one);
    const state = states.get(subscriptionKey(candidate)) ?? null;
    // A rule that lets a known id take a change in lets it be sent with other data.
    const waiting = { id: candidate.id, mayHaveLeft: candidate.mayHaveLeft };
    const isLax = rule !== undefined && rule(waiting).kind === 'absorb';
    const decision = decide(candidate, one.template, data, state, isLax);
    if (decision.kind === 'cancel') cancelled.push({ id: candidate.id, code: decision.code });
    else if (decision.kind === 'supersede') replaced.push(one);
    else {
      const token = Buffer.from(random.bytes(12)).toString('base64url');
      const content = { data: data ?? '', changedFields: decision.changedFields, token };
      const claim = toClaimed({ ...one, sendByMs }, content);
      claimed.push(claim);
      rows.push(toRow(claim, decision.changedFields));
    }
  }
  // A template that is no longer there speaks of nothing.
  for (const { candidate } of picked) {
    if (known.some((one) => one.candidate === candidate)) continue;
    cancelled.push({ id: candidate.id, code: 'cancelled' });
  }
  await writeCancelled(tx, cancelled, now);
  await replace(deps, tx, replaced);
  await writeClaims(tx, rows, now);
  return { claimed, ended: cancelled.length + replaced.length };
}

function toClaimed(
  from: Picked & { template: Template; sendByMs: number },
  content: { data: string; changedFields: readonly string[]; token: string },
): Claimed {
  const { candidate, endpoint, template } = from;
  return {
    id: candidate.id,
    customerId: endpoint.customerId,
    endpointId: endpoint.id,
    url: endpoint.url,
    isDev: endpoint.isDev,
    isSlow: endpoint.health.isSlow,
    template,
    symbol: candidate.symbol,
    isTest: candidate.isTest,
    attempt: candidate.attemptCount + 1,
    unknownCount: candidate.unknownCount,
    maxAttempts: candidate.maxAttempts,
    claimToken: content.token,
    changedAt: candidate.changedAt,
    isFirst: candidate.attemptCount === 0,
    body: renderPayload({
      id: candidate.id,
      createdAt: candidate.createdAt,
      templateId: candidate.templateId,
      eventType: candidate.eventType,
      symbol: candidate.symbol,
      data: parseData(content.data),
      changedFields: content.changedFields,
    }),
    data: content.data,
    changedFields: content.changedFields,
    before: { mayHaveLeft: candidate.mayHaveLeft, sentData: candidate.sentData },
    sendByMs: from.sendByMs,
  };
}

function toRow(claim: Claimed, changedFields: readonly string[]): ClaimRow {
  const { id, claimToken, data, body } = claim;
  return { id, n: claim.attempt, claimToken, data, body, changedFields };
}

/** Opens new deliveries in the place of those whose data are no longer those that may have left. */
async function replace(
  { clock, random }: EngineDeps,
  tx: Transaction,
  replaced: readonly Picked[],
): Promise<void> {
  const now = clock.now();
  const fresh = replaced.map(({ candidate, endpoint }) => ({
    id: makeDeliveryId(now, random),
    endpoint,
    templateId: candidate.templateId,
    eventType: candidate.eventType,
    symbol: candidate.symbol,
    changedAt: candidate.changedAt,
    namesAll: candidate.namesAll,
    isTest: candidate.isTest,
    now,
  }));
  const pairs = replaced.map(({ candidate }, i) => ({ id: candidate.id, by: fresh[i]?.id ?? '' }));
  await supersede(tx, pairs, now);
  await insertDeliveries(tx, fresh);
}
