import type { SqlValue } from '../../storage/db.ts';
import { IN_FLIGHT, NOT_IN_FLIGHT } from '../queue/in-flight.ts';
import { deliveryIdFloor } from '../queue/delivery-id.ts';
import { type DeliveryState, LOG_PAGE_MAX, type DeliveryFilter } from './log-query.ts';

/**
 * States, grouped by the index in which they are found: `delivery_by_endpoint`, `delivery_due` and
 * `delivery_ended_otherwise`. The planner uses a partial index only if the states are literals in the
 * statement. Deliveries in flight are listed in claims, whatever the state in their rows.
 */
const STATE_GROUPS: readonly (readonly DeliveryState[])[] = [
  ['delivered'],
  ['pending', 'retrying'],
  ['held', 'failed', 'superseded', 'cancelled'],
];

/** Returns alternative conditions that together match the deliveries in any of the states. */
function stateConditions(states: readonly DeliveryState[] | undefined): string[][] {
  if (states === undefined) return [[]];
  const alternatives = STATE_GROUPS.flatMap((group) => {
    const literals = group.filter((state) => states.includes(state)).map((state) => `'${state}'`);
    if (literals.length === 0) return [];
    return [[`d.state in (${literals.join(', ')})`, `d.id ${NOT_IN_FLIGHT}`]];
  });
  if (!states.includes('in_progress')) return alternatives;
  return [...alternatives, [`d.id in (select delivery_id from ${IN_FLIGHT} in_flight)`]];
}

/** Selects the IDs for one page of the log, newest first. */
export function selectPage(filter: DeliveryFilter): { sql: string; params: SqlValue[] } {
  const params: SqlValue[] = [];
  const place = (value: SqlValue): string => `$${params.push(value)}`;
  const conditions: string[] = [];
  const add = (condition: string, value?: SqlValue): void => {
    if (value !== undefined) conditions.push(condition.replace('?', place(value)));
  };
  add('d.template_id = ?', filter.templateId);
  add('d.symbol = ?', filter.symbol);
  add('d.is_test = ?', filter.isTest);
  add('d.created_at >= to_timestamp(? / 1000.0)', filter.from);
  add('d.created_at < to_timestamp(? / 1000.0)', filter.to);
  // IDs increase with the creation time, so the index scan can start at the beginning of the range.
  if (filter.from !== undefined) add('d.id >= ?', deliveryIdFloor(filter.from));
  if (filter.to !== undefined) add('d.id < ?', deliveryIdFloor(filter.to));
  add('d.id < ?', filter.before);
  const customer = filter.customerId === null ? null : place(filter.customerId);
  const endpoint = filter.endpointId === undefined ? null : place(filter.endpointId);
  const limit = place(Math.min(filter.limit, LOG_PAGE_MAX));

  const isGlobal = customer === null && endpoint === null;
  const ofEndpoint = isGlobal ? [] : ['d.endpoint_id = e.id'];
  const parts = stateConditions(filter.states).map((alternative) => {
    const all = [...ofEndpoint, ...alternative, ...conditions];
    const where = all.length === 0 ? '' : `where ${all.join(' and ')}`;
    return `(select d.id from delivery d ${where} order by d.id desc limit ${limit})`;
  });
  const page = `(${parts.join(' union all ')}) n`;
  if (isGlobal)
    return { sql: `select n.id from ${page} order by n.id desc limit ${limit}`, params };
  const scope = [
    ...(customer === null ? [] : [`e.customer_id = ${customer}`]),
    ...(endpoint === null ? [] : [`e.id = ${endpoint}`]),
  ].join(' and ');
  // Merges one page from each of the customer's endpoints, of which there are few.
  const sql = `select n.id from webhook_endpoint e
      cross join lateral ${page}
      where ${scope} order by n.id desc limit ${limit}`;
  return { sql, params };
}
