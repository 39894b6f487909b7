import type { SqlValue } from '../../storage/db.ts';
import { deliveryIdFloor } from '../queue/delivery-id.ts';
import { type DeliveryState, LOG_PAGE_MAX, type DeliveryFilter } from './log-query.ts';

/** A condition on a column of a delivery. */
interface Condition {
  column: string;
  is: string;
}

/** A table from which deliveries can be read newest first, and its column names. */
interface Source {
  from: string;
  nameOf(column: string): string;
}

const RECORD: Source = { from: 'delivery d', nameOf: (column) => `d.${column}` };

/**
 * `endpoint_delivery` has a copy of each delivery's immutable columns, indexed by endpoint, so that
 * most deliveries do not need to be read.
 */
const OF_ENDPOINT: Source = {
  from: 'endpoint_delivery o join delivery d on d.id = o.delivery_id',
  nameOf: (column) => OWN_NAMES[column] ?? `d.${column}`,
};
const OWN_NAMES: Readonly<Record<string, string>> = {
  id: 'o.delivery_id',
  endpoint_id: 'o.endpoint_id',
  template_id: 'o.template_id',
  symbol: 'o.symbol',
  is_test: 'o.is_test',
};

/**
 * Rare states, grouped by the partial index in which they are found: `delivery_due`,
 * `delivery_in_flight` and `delivery_ended_otherwise`. The planner uses a partial index only if the
 * states are literals in the statement.
 */
const RARE_STATES: readonly (readonly DeliveryState[])[] = [
  ['pending', 'retrying'],
  ['in_progress'],
  ['held', 'failed', 'superseded', 'cancelled'],
];

/** Selects the IDs for one page of the log, newest first. */
export function selectPage(filter: DeliveryFilter): { sql: string; params: SqlValue[] } {
  const params: SqlValue[] = [];
  const place = (value: SqlValue): string => `$${params.push(value)}`;
  const conditions: Condition[] = [];
  const add = (column: string, write: (place: string) => string, value?: SqlValue): void => {
    if (value !== undefined) conditions.push({ column, is: write(place(value)) });
  };
  add('template_id', (p) => `= ${p}`, filter.templateId);
  add('symbol', (p) => `= ${p}`, filter.symbol);
  add('is_test', (p) => `= ${p}`, filter.isTest);
  add('created_at', (p) => `>= to_timestamp(${p} / 1000.0)`, filter.from);
  add('created_at', (p) => `< to_timestamp(${p} / 1000.0)`, filter.to);
  // IDs increase with the creation time, so the index scan can start at the beginning of the range.
  if (filter.from !== undefined) add('id', (p) => `>= ${p}`, deliveryIdFloor(filter.from));
  if (filter.to !== undefined) add('id', (p) => `< ${p}`, deliveryIdFloor(filter.to));
  add('id', (p) => `< ${p}`, filter.before);
  const customer = filter.customerId === null ? null : place(filter.customerId);
  const endpoint = filter.endpointId === undefined ? null : place(filter.endpointId);
  const limit = place(Math.min(filter.limit, LOG_PAGE_MAX));

  const select = (source: Source, more: readonly Condition[]): string => {
    const { from, nameOf } = source;
    const all = [...more, ...conditions].map(({ column, is }) => `${nameOf(column)} ${is}`);
    const id = nameOf('id');
    const where = all.length === 0 ? '' : `where ${all.join(' and ')}`;
    return `(select ${id} as id from ${from} ${where} order by ${id} desc limit ${limit})`;
  };
  const ofStates = (states: readonly DeliveryState[]): Condition => {
    return { column: 'state', is: `in (${states.map((state) => `'${state}'`).join(', ')})` };
  };
  if (customer === null && endpoint === null) {
    const states = filter.states === undefined ? [] : [ofStates(filter.states)];
    return { sql: select(RECORD, states), params };
  }
  const endpointCondition: Condition = { column: 'endpoint_id', is: '= e.id' };
  const parts: string[] = [];
  if (filter.states === undefined) parts.push(select(OF_ENDPOINT, [endpointCondition]));
  else {
    if (filter.states.includes('delivered')) {
      parts.push(select(OF_ENDPOINT, [endpointCondition, ofStates(['delivered'])]));
    }
    for (const group of RARE_STATES) {
      const states = group.filter((state) => filter.states?.includes(state));
      if (states.length > 0) parts.push(select(RECORD, [endpointCondition, ofStates(states)]));
    }
  }
  const scope = [
    ...(customer === null ? [] : [`e.customer_id = ${customer}`]),
    ...(endpoint === null ? [] : [`e.id = ${endpoint}`]),
  ].join(' and ');
  // Merges one page from each of the customer's endpoints, of which there are few.
  const sql = `select n.id from webhook_endpoint e
      cross join lateral (${parts.join(' union all ')}) n
      where ${scope} order by n.id desc limit ${limit}`;
  return { sql, params };
}
