import { deliveryIdFloor } from '../../../src/webhooks/queue/delivery-id.ts';
import { formatInstant, type Instant } from '../../../src/platform/instant.ts';
import { BIG, BIG_ENDPOINT } from './portions.ts';

/** Returns every dashboard list with each of its filters. The last word of a name is the filter. */
export function listCalls(now: Instant, keyId: string): [name: string, path: string][] {
  const week = new URLSearchParams({
    from: formatInstant(now - 21 * DAY_MS),
    to: formatInstant(now - 14 * DAY_MS),
  }).toString();
  const month = `from=${encodeURIComponent(formatInstant(now - 30 * DAY_MS))}`;
  const deep = `before=${deliveryIdFloor(now - 20 * DAY_MS)}`;
  return [
    ...webhookCalls({ week, month, deep }),
    ...withFilters('requests', `/account/v1/requests?customerId=${BIG}&`, {
      all: '',
      key: `keyId=${keyId}`,
      path: 'path=/v1/profile',
      class: 'status=5xx',
      status: 'status=418',
      id: 'requestId=req_none',
      week,
    }),
    ...dataCalls(),
    ...ingestionCalls(),
    ...accountCalls({ week, month }),
  ];
}

function webhookCalls({ week, month, deep }: Record<'week' | 'month' | 'deep', string>) {
  return [
    ...deliveryCalls('deliveries', `/account/v1/deliveries?customerId=${BIG}&`, { week, deep }),
    ...deliveryCalls('system deliveries', '/operator/v1/deliveries?', { week, deep }),
    ...unfiltered({
      'system deliveries, customer': `/operator/v1/deliveries?customerId=${BIG}`,
      'delivery figures, hours': `/account/v1/delivery-figures?customerId=${BIG}`,
      'delivery figures, days': `/account/v1/delivery-figures?customerId=${BIG}&by=day&${month}`,
      'system delivery figures': '/operator/v1/delivery-figures',
      'system delivery figures, days': `/operator/v1/delivery-figures?by=day&${month}`,
      'webhook figures': '/operator/v1/webhooks/figures',
      webhooks: `/account/v1/webhooks?customerId=${BIG}`,
    }),
  ];
}

function dataCalls() {
  return [
    ...withFilters('symbols', '/account/v1/symbols?', {
      symbol: 'search=s123',
      name: 'search=company a',
      nothing: 'search=nosuchname',
    }),
    ...withFilters('earnings', '/operator/v1/facts/earnings?', {
      all: '',
      search: 'search=company a',
      nothing: 'search=nosuchname',
      symbol: 'symbol=S77',
      date: 'date=2026-11-02',
    }),
    ...withFilters('profiles', '/operator/v1/facts/profiles?', {
      all: '',
      search: 'search=company a',
      nothing: 'search=nosuchname',
    }),
  ];
}

function ingestionCalls() {
  return [
    ...withFilters('quarantine', '/operator/v1/quarantine?', {
      open: '',
      accepted: 'state=accepted',
      rejected: 'state=rejected',
      provider: 'provider=source-3',
      dataset: 'dataset=ipos',
      reason: 'reason=reason-2',
      nothing: 'reason=none',
      rows: 'before=row_5000',
    }),
    ...unfiltered({ 'quarantine counts': '/operator/v1/quarantine/counts' }),
    ...withFilters('runs', '/operator/v1/runs?', {
      all: '',
      provider: 'provider=source-3',
      outcome: 'outcome=rejected',
      both: 'provider=source-0&outcome=rejected',
      nothing: 'provider=source-1&outcome=rejected',
    }),
    ...unfiltered({ sources: '/operator/v1/sources' }),
  ];
}

function accountCalls({ week, month }: Record<'week' | 'month', string>) {
  return [
    ...unfiltered({ audit: `/account/v1/audit?customerId=${BIG}` }),
    ...withFilters('system audit', '/operator/v1/audit?', {
      all: '',
      person: 'by=per_77',
      acts: 'act=plan.',
      nothing: 'act=none.',
      week,
    }),
    ...withFilters('customers', '/operator/v1/customers?', {
      all: '',
      search: 'search=a9',
      nothing: 'search=nosuchname',
    }),
    ...unfiltered({
      'usage, hours': `/account/v1/usage?customerId=${BIG}&by=hour&split=endpoint`,
      'usage, days': `/account/v1/usage?customerId=${BIG}&by=day&split=status&${month}`,
      'system usage, days': `/operator/v1/usage?by=day&split=endpoint&${month}`,
      'busiest customers': '/operator/v1/usage/customers',
    }),
  ];
}

const DAY_MS = 86_400_000;

function deliveryCalls(name: string, path: string, { week, deep }: { week: string; deep: string }) {
  return withFilters(name, path, {
    all: '',
    endpoint: `endpointId=${BIG_ENDPOINT}`,
    state: 'state=failed',
    'no state': 'state=held',
    template: 'templateId=earnings_result',
    'no template': 'templateId=none',
    symbol: 'symbol=S78',
    'no symbol': 'symbol=NONE',
    week,
    'week and state': `${week}&state=held`,
    deep,
  });
}

function withFilters(
  name: string,
  path: string,
  queries: Record<string, string>,
): [string, string][] {
  return Object.entries(queries).map(([filter, query]) => [`${name}, ${filter}`, path + query]);
}

function unfiltered(paths: Record<string, string>): [string, string][] {
  return Object.entries(paths);
}
