import { Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DeliveryStats, EndpointDeliveryStats, WebhookEndpoint } from '../api/calls.gen.ts';
import { endpointName, shortUrl } from '../deliveries/use-endpoint-names.ts';
import { formatCount, formatShare } from '../format/number.ts';
import { DataTable } from '../ui/tables/data-table.tsx';
import { LongText } from '../ui/values/long-text.tsx';
import { StatusBadge } from '../ui/values/status-badge.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { fillSlices } from './attempt-slices.ts';
import { endpointStatus } from './endpoint-status.ts';
import styles from './endpoint-table.module.css';
import { SuccessSpark } from './success-spark.tsx';
import type { PendingDeliveries } from './pending-deliveries.ts';

/** The account's endpoints with their success rate in the last 24 hours. */
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
