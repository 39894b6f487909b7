import type { Slots } from './fair-share.ts';
import { insertDeliveries, supersede } from '../../webhooks/queue/open-deliveries.ts';
import type { SigningSecrets } from '../../webhooks/message/delivery-headers.ts';
import { makeDeliveryId } from '../../webhooks/queue/delivery-id.ts';
import { parseData, renderPayload } from '../../webhooks/message/payload.ts';
import type { Instant } from '../../platform/instant.ts';
import { memoize } from '../../platform/memoize.ts';
import type { Transaction } from '../../storage/db.ts';
import type { EngineDeps } from '../engine.ts';
import { loadSourceData } from '../source-data.ts';
import type { Template } from '../../webhooks/templates/template.ts';
import { type ClaimedDelivery, SEND_WITHIN_MS } from './claimed-delivery.ts';
import { decide } from './decide.ts';
import type { DueEndpointCache } from './lane-memory.ts';
import type { EndpointScan } from './due-endpoints.ts';
import { scheduleDue, type ScheduledDelivery } from './scheduler.ts';
import { type ClaimRow, writeCancelled, writeClaims } from './write-claims.ts';

const TOKEN_BYTES = 12;

export interface ClaimDeps extends EngineDeps {
  /** What signs for endpoints: whoever sends what is claimed needs it at once. */
  loadSecrets?(tx: Transaction, endpointIds: readonly string[]): Promise<Secrets>;
  /** Kept from claim to claim; without it each looks for due work anew. */
  dueEndpoints?: DueEndpointCache<EndpointScan>;
}

type Secrets = ReadonlyMap<string, SigningSecrets>;

export interface ClaimResult {
  deliveries: ClaimedDelivery[];
  /** By endpoint; empty where nobody loads them. */
  secrets: Secrets;
  /** Go on after this endpoint: they come in turn. */
  cursor: string;
  /** Something was done, so that more may be due. */
  hasMore: boolean;
}

/**
 * Takes due deliveries for the free slots, builds their bodies from the store as it stands, and marks
 * them as under way, all in one transaction: only then may they be sent.
 */
export async function claimDue(
  deps: ClaimDeps,
  slots: Slots,
  cursor: string,
): Promise<ClaimResult> {
  const { db, clock } = deps;
  const startedMs = clock.monotonicMs();
  // All in it, so that an embedded store, which has one connection, is waited for once.
  const work = async (tx: Transaction): Promise<ClaimResult> => {
    const options = { slots, after: cursor, now: clock.now(), memory: deps.dueEndpoints };
    const { scheduled: picked, cursor: reached } = await scheduleDue(tx, options);
    const nothing = { claimed: [], secrets: new Map(), after: reached, isBusy: false };
    if (picked.length === 0) return nothing;
    const endpointIds = [...new Set(picked.map(({ endpoint }) => endpoint.id))];
    const [secrets, { deliveries, ended }] = await Promise.all([
      deps.loadSecrets?.(tx, endpointIds) ?? nothing.secrets,
      prepare(deps, tx, picked, startedMs + SEND_WITHIN_MS),
    ]);
    return { deliveries, secrets, cursor: reached, hasMore: deliveries.length + ended > 0 };
  };
  // With plans that are kept: else planning costs as much as a dozen deliveries take.
  return db.transaction(work, { keepsPlans: true });
}

async function prepare(
  deps: EngineDeps,
  tx: Transaction,
  picked: readonly ScheduledDelivery[],
  sendByMs: number,
): Promise<{ deliveries: ClaimedDelivery[]; ended: number }> {
  const { clock, random, templates, rule } = deps;
  const now = clock.now();
  const known: (ScheduledDelivery & { template: Template; symbol: string })[] = [];
  const cancelled: { id: string; code: string }[] = [];
  for (const one of picked) {
    const { id, templateId, symbol } = one.delivery;
    const template = templates.find((each) => each.templateId === templateId);
    // A template that is no longer there speaks of nothing, and a deleted endpoint is told of nothing.
    if (template === undefined || one.endpoint.isDeleted) cancelled.push({ id, code: 'cancelled' });
    else known.push({ ...one, template, symbol });
  }
  const dataOf = await loadSourceData(tx, known, now);
  const tokens = makeTokens(random, known.length);
  const parse = memoize(parseData);
  const replaced: ScheduledDelivery[] = [];
  const deliveries: ClaimedDelivery[] = [];
  const rows: ClaimRow[] = [];
  for (const one of known) {
    const { delivery: candidate } = one;
    const data = dataOf(one);
    // A rule that lets a known id take a change in lets it be sent with other data.
    const waiting = { id: candidate.id, mayHaveLeft: candidate.maybeSent };
    const isLax = rule !== undefined && rule(waiting).kind === 'absorb';
    const decision = decide(candidate, one.template, data, { maySendOtherData: isLax, parse });
    if (decision.kind === 'cancel') cancelled.push({ id: candidate.id, code: decision.code });
    else if (decision.kind === 'supersede') replaced.push(one);
    else {
      const token = tokens[rows.length] ?? '';
      const content = { data: data ?? '', changedFields: decision.changedFields, token };
      const claim = toClaimed({ ...one, now, sendByMs }, content);
      deliveries.push(claim);
      rows.push(toRow(claim, decision.changedFields));
    }
  }
  await writeCancelled(tx, cancelled, now);
  await replace(deps, tx, replaced);
  await writeClaims(tx, rows, now);
  return { deliveries, ended: cancelled.length + replaced.length };
}

/** Drawn at once: each way to the system's randomness costs as much as a signature. */
function makeTokens(random: EngineDeps['random'], count: number): string[] {
  const drawn = Buffer.from(random.bytes(count * TOKEN_BYTES));
  return Array.from({ length: count }, (_, i) =>
    drawn.subarray(i * TOKEN_BYTES, (i + 1) * TOKEN_BYTES).toString('base64url'),
  );
}

function toClaimed(
  from: ScheduledDelivery & { template: Template; now: Instant; sendByMs: number },
  content: { data: string; changedFields: readonly string[]; token: string },
): ClaimedDelivery {
  const { delivery: candidate, endpoint, template } = from;
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
    attemptNumber: candidate.attemptCount + 1,
    unknownCount: candidate.unknownCount,
    maxAttempts: candidate.maxAttempts,
    claimToken: content.token,
    startedAt: from.now,
    changedAt: candidate.changedAt,
    isFirstAttempt: candidate.attemptCount === 0,
    body: renderPayload({
      id: candidate.id,
      createdAt: candidate.createdAt,
      templateId: candidate.templateId,
      eventType: candidate.eventType,
      symbol: candidate.symbol,
      data: content.data,
      changedFields: content.changedFields,
    }),
    data: content.data,
    changedFields: content.changedFields,
    previous: { maybeSent: candidate.maybeSent, sentData: candidate.sentData },
    sendByMs: from.sendByMs,
  };
}

function toRow(claim: ClaimedDelivery, changedFields: readonly string[]): ClaimRow {
  const { id, claimToken, data } = claim;
  return { id, n: claim.attemptNumber, claimToken, data, changedFields };
}

/** Opens new deliveries in the place of those whose data are no longer those that may have left. */
async function replace(
  { clock, random }: EngineDeps,
  tx: Transaction,
  replaced: readonly ScheduledDelivery[],
): Promise<void> {
  const now = clock.now();
  const fresh = replaced.map(({ delivery: candidate, endpoint }) => ({
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
  const pairs = replaced.map(({ delivery: candidate }, i) => ({
    id: candidate.id,
    by: fresh[i]?.id ?? '',
  }));
  await supersede(tx, pairs, now);
  await insertDeliveries(tx, fresh);
}
