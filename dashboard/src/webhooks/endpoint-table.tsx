import { Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type {
  DeliveryStats,
  EndpointDeliveryStats,
  WebhookEndpoint,
  AttemptSlice,
} from '../api/calls.gen.ts';
import { endpointName, shortUrl } from '../deliveries/use-endpoint-names.ts';
import { formatCount, formatShare } from '../format/number.ts';
import { DataTable } from '../ui/tables/data-table.tsx';
import { LongText } from '../ui/values/long-text.tsx';
import { StatusBadge } from '../ui/values/status-badge.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { fillSlices } from './attempt-slices.ts';
import { endpointStatus } from './endpoint-status.ts';
import styles from './endpoint-table.module.css';
import type { PendingDeliveries } from './pending-deliveries.ts';

/** Lists the account's endpoints with their success rate in the last 24 hours. */
export function EndpointTable(props: {
  endpoints: readonly WebhookEndpoint[];
  figures: DeliveryStats | undefined;
  pending: ReadonlyMap<string, PendingDeliveries>;
}): ReactNode {
  const { endpoints, figures, pending } = props;
  const figuresOf = (id: string): EndpointDeliveryStats | undefined =>
    figures?.endpoints.find(({ endpointId }) => endpointId === id);
  return (
    <DataTable
      caption="Webhook endpoints"
      rows={endpoints}
      keyOf={({ id }) => id}
      columns={[
        { name: 'Endpoint', render: (endpoint) => <EndpointCell endpoint={endpoint} /> },
        {
          name: 'Status',
          render: (endpoint) => {
            const { tone, text } = endpointStatus(endpoint);
            return <StatusBadge tone={tone}>{text}</StatusBadge>;
          },
        },
        {
          name: 'Subscriptions',
          isNumber: true,
          isExtra: true,
          render: ({ subscriptionCount }) => formatCount(subscriptionCount),
        },
        {
          name: 'Success rate (24 h)',
          render: ({ id }) => <SuccessCell figures={figuresOf(id)} span={figures} />,
        },
        {
          name: 'Last delivery',
          render: ({ lastDeliveryAt }) => (
            <span className={styles['line']}>
              <RelativeTime at={lastDeliveryAt} />
            </span>
          ),
        },
        { name: 'Pending', render: ({ id }) => <PendingCell pending={pending.get(id)} /> },
      ]}
    />
  );
}

function EndpointCell({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  return (
    <Stack gap={0}>
      <LongText>
        <Link
          to="/webhooks/$endpointId"
          params={{ endpointId: endpoint.id }}
          className={styles['name']}
        >
          {endpointName(endpoint)}
        </Link>
      </LongText>
      <Text size="xs" c="dimmed" className={styles['url']} title={endpoint.url}>
        {shortUrl(endpoint.url)}
      </Text>
    </Stack>
  );
}

function SuccessCell(props: {
  figures: EndpointDeliveryStats | undefined;
  span: DeliveryStats | undefined;
}): ReactNode {
  const { figures, span } = props;
  if (figures === undefined || span === undefined) return '–';
  const { delivered, failed, successRate } = figures;
  if (successRate === null)
    return (
      <Text c="dimmed" size="sm">
        No attempts
      </Text>
    );
  const summary = `${delivered} successful and ${failed} failed attempts in the last 24 hours`;
  return (
    <div className={styles['day']}>
      <SuccessSpark slices={fillSlices(figures.slices, span)} label={summary} />
      <span>{formatShare(successRate)}</span>
    </div>
  );
}

function PendingCell({ pending }: { pending: PendingDeliveries | undefined }): ReactNode {
  if (pending === undefined) return '–';
  const { count, isMore, nextAt } = pending;
  return (
    <Stack gap={0} className={styles['line']}>
      <span>
        {isMore ? 'at least ' : ''}
        {formatCount(count)}
      </span>
      {nextAt !== null && (
        <Text size="xs" c="dimmed" component="div">
          next <RelativeTime at={nextAt} />
        </Text>
      )}
    </Stack>
  );
}

const WIDTH = 120;
const HEIGHT = 26;

/** A sparkline of successful and failed attempts by hour. */
function SuccessSpark(props: { slices: readonly AttemptSlice[]; label: string }): ReactNode {
  const { slices, label } = props;
  const top = Math.max(1, ...slices.map(({ delivered, failed }) => delivered + failed));
  const step = WIDTH / Math.max(1, slices.length);
  return (
    <svg width={WIDTH} height={HEIGHT} role="img" aria-label={label}>
      {slices.map(({ at, delivered, failed }, index) => {
        const good = barHeight(delivered, top);
        const bad = barHeight(failed, top);
        const column = { x: index * step, width: Math.max(1, step - 1) };
        return (
          <g key={at}>
            <rect {...column} y={HEIGHT - 1} height={1} fill="var(--line)" />
            <rect {...column} y={HEIGHT - good} height={good} fill="var(--chart-1)" />
            <rect {...column} y={HEIGHT - good - bad} height={bad} fill="var(--chart-4)" />
          </g>
        );
      })}
    </svg>
  );
}

/**
 * Returns the height of a bar. Values above zero get a minimum height, so that they stay visible.
 */
function barHeight(value: number, top: number): number {
  return value === 0 ? 0 : Math.max(2, (value / top) * (HEIGHT - 2));
}
