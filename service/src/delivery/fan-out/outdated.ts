import type { Queryable, Row, Transaction } from '../../storage/db.ts';
import { Recordset, Sql, sql, statement } from '../../storage/sql.ts';
import { writeArrayLiteral } from '../../storage/values/array-literal.ts';
import { IN_FLIGHT } from '../../webhooks/queue/in-flight.ts';
import type { Instant } from '../../platform/instant.ts';
import type { SubjectSets } from './subject-sets.ts';
import type { QueuedSubject } from './queue.ts';

/** A subscribed endpoint that does not have the current data about a company. */
export interface OutdatedEndpoint {
  endpointId: string;
  /**
   * State of an endpoint that has had no delivery about the company yet. Null if its state is
   * stored already.
   */
  firstState: ReceiverState | null;
}

interface ReceiverState {
  data: string | null;
  namedFields: readonly string[];
}

export interface OutdatedPage {
  endpoints: OutdatedEndpoint[];
  /** Last endpoint of the page; null if there are no more. */
  last: string | null;
}

/**
 * Returns subscribed endpoints, ordered by id, that have not acknowledged the current data, may
 * have seen different data after acknowledging it, or have a delivery that is pending or in flight:
 * a claim that is not committed yet may have read older data. An endpoint with a set that has the
 * company, and without a delivery about it, has the baseline.
 */
export async function loadOutdated(
  db: Queryable,
  subject: QueuedSubject,
  current: { data: string; sets: SubjectSets | null },
  limit: number,
): Promise<OutdatedPage> {
  const { data, sets } = current;
  const rows =
    sets === null
      ? await loadWithoutSets(db, subject, data, limit)
      : await loadWithSets(db, subject, { data, sets }, limit);
  const last = rows.length < limit ? null : (rows.at(-1)?.endpointId ?? null);
  const firstIds = rows.flatMap(({ endpointId, isFirst }) => (isFirst ? [endpointId] : []));
  const former = await loadFormerStates(db, subject, sets?.formerSymbols ?? [], firstIds);
  const endpoints = rows.map(({ endpointId, isFirst }): OutdatedEndpoint => {
    const unseen = { data: sets?.baseline ?? null, namedFields: [] };
    return { endpointId, firstState: isFirst ? (former.get(endpointId) ?? unseen) : null };
  });
  const isOutdated = ({ firstState }: OutdatedEndpoint): boolean =>
    firstState === null || firstState.data !== data || firstState.namedFields.length > 0;
  return { endpoints: endpoints.filter(isOutdated), last };
}

interface CandidateRow extends Row {
  endpointId: string;
  /** True if nothing is stored about the endpoint and the company. */
  isFirst: boolean;
}

function loadWithoutSets(
  db: Queryable,
  subject: QueuedSubject,
  data: string,
  limit: number,
): Promise<CandidateRow[]> {
  // Returns at most `limit` rows, in the order of the primary key, using index delivery_waiting.
  return db.query<CandidateRow>(
    ...statement(sql`
      select s.endpoint_id as "endpointId", false as "isFirst" from webhook_subscription s
       where ${isOutdatedRow(subject, data)} order by s.endpoint_id limit ${limit}`),
  );
}

function loadWithSets(
  db: Queryable,
  subject: QueuedSubject,
  { data, sets }: { data: string; sets: SubjectSets },
  limit: number,
): Promise<CandidateRow[]> {
  const { templateId, symbol, onlyEndpoint } = subject;
  const { sets: companySets, securityIds } = sets.membership;
  // Endpoints with the baseline need the data only if it has changed since.
  const addsFirst = onlyEndpoint === '' && data !== sets.baseline;
  // Returns at most `limit` rows. Reads each subscription to a set of the company once, by the
  // primary key and index watchlist_member_by_security.
  return db.query<CandidateRow>(
    ...statement(sql`
      with set_endpoint as materialized (
        select s.endpoint_id from webhook_subscription s
         where s.template_id = ${templateId} and s.symbol = any(${companySets}::text[])
           and s.kind = 'set' and ${isNext(subject)}
        union
        select s.endpoint_id from watchlist_member m
          join webhook_subscription s on s.template_id = ${templateId}
                                     and s.symbol = '@' || m.watchlist_id
         where m.security_id = any(${securityIds}::text[]) and ${isNext(subject)})
      select "endpointId", "isFirst" from (
        select s.endpoint_id as "endpointId", false as "isFirst" from webhook_subscription s
         where ${isOutdatedRow(subject, data)}
           and (s.kind = 'symbol' or s.endpoint_id in (select endpoint_id from set_endpoint))
        union all
        select c.endpoint_id, true from set_endpoint c
         where ${addsFirst} and not exists (
                 select 1 from webhook_subscription s
                  where s.template_id = ${templateId} and s.symbol = ${symbol}
                    and s.endpoint_id = c.endpoint_id)) candidates
       order by "endpointId" limit ${limit}`),
  );
}

const OPEN_ATTEMPTS = new Sql([IN_FLIGHT], []);

function isOutdatedRow(subject: QueuedSubject, data: string): Sql {
  const { templateId, symbol } = subject;
  return sql`s.template_id = ${templateId} and s.symbol = ${symbol} and ${isNext(subject)}
        and (s.answered_data is distinct from ${data} or s.named_fields <> '{}'
             or exists (select 1 from delivery d
                         where d.endpoint_id = s.endpoint_id and d.template_id = s.template_id
                           and d.symbol = s.symbol and d.state in ('pending', 'retrying', 'held')
                           and not d.is_test)
             or (s.endpoint_id, s.symbol) in (select endpoint_id, symbol from ${OPEN_ATTEMPTS} f))`;
}

function isNext({ onlyEndpoint, afterEndpoint }: QueuedSubject): Sql {
  return onlyEndpoint === ''
    ? sql`s.endpoint_id > ${afterEndpoint}`
    : sql`s.endpoint_id = ${onlyEndpoint}`;
}

/** Returns what endpoints have acknowledged about a company under its earlier symbols. */
async function loadFormerStates(
  db: Queryable,
  { templateId }: QueuedSubject,
  formerSymbols: readonly string[],
  endpointIds: readonly string[],
): Promise<Map<string, ReceiverState>> {
  if (formerSymbols.length === 0 || endpointIds.length === 0) return new Map();
  // Returns at most one row per endpoint, by the primary key.
  const rows = await db.query<ReceiverState & Row & { endpointId: string }>(
    `select distinct on (endpoint_id) endpoint_id as "endpointId", answered_data as data,
            named_fields as "namedFields"
       from webhook_subscription
      where template_id = $1 and symbol = any($2::text[]) and endpoint_id = any($3::text[])
        and kind = 'member'
      order by endpoint_id, answered_at desc nulls last`,
    [templateId, formerSymbols, endpointIds],
  );
  return new Map(rows.map(({ endpointId, ...state }) => [endpointId, state]));
}

/**
 * Stores what locked endpoints have acknowledged before their first delivery about a company, unless
 * they have given up their sets in the meantime.
 */
export async function saveFirstStates(
  tx: Transaction,
  endpoints: readonly (OutdatedEndpoint & { templateId: string; symbol: string })[],
  now: Instant,
): Promise<void> {
  const states = endpoints.flatMap(({ endpointId, templateId, symbol, firstState }) => {
    if (firstState === null) return [];
    const { data, namedFields } = firstState;
    return [{ endpointId, templateId, symbol, data, named: writeArrayLiteral(namedFields) }];
  });
  if (states.length === 0) return;
  const shape = {
    endpointId: 'text',
    templateId: 'text',
    symbol: 'text',
    data: 'text',
    named: 'text',
  } as const;
  // Company sets sort before and after the symbols, so no other rows of the endpoint are read.
  await tx.query(
    ...statement(sql`
      insert into webhook_subscription
             (template_id, symbol, endpoint_id, created_at, answered_data, named_fields, kind)
      select n."templateId", n.symbol, n."endpointId", to_timestamp(${now} / 1000.0), n.data,
             n.named::text[], 'member'
        from ${new Recordset(shape, states).as('n')}
       where exists (select 1 from webhook_subscription w
                      where w.endpoint_id = n."endpointId" and w.template_id = n."templateId"
                        and (w.symbol < 'A' or w.symbol >= 'a') and w.kind = 'set')
      on conflict do nothing`),
  );
}
