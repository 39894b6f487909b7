import { Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DeliveryStats, EndpointDeliveryStats, WebhookEndpoint } from '../api/calls.gen.ts';
import { endpointName, shortUrl } from '../deliveries/use-endpoint-names.ts';
import { formatCount, formatShare } from '../format/number.ts';
import { DataTable } from '../ui/tables/data-table.tsx';
import { LongText } from '../ui/values/long-text.tsx';
import { Mark } from '../ui/values/mark.tsx';
import { Moment } from '../ui/values/moment.tsx';
import { wholeSlices } from './attempt-slices.ts';
import { standingOf } from './endpoint-standing.ts';
import styles from './endpoint-table.module.css';
import { SuccessSpark } from './success-spark.tsx';
import type { Waiting } from './waiting.ts';

/** The account's endpoints with their success rate in the last 24 hours. */
export function EndpointTable(props: {
  endpoints: readonly WebhookEndpoint[];
  figures: DeliveryStats | undefined;
  waiting: ReadonlyMap<string, Waiting>;
}): ReactNode {
  const { endpoints, figures, waiting } = props;
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
            const { tone, text } = standingOf(endpoint);
            return <Mark tone={tone}>{text}</Mark>;
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
          render: ({ id }) => <DayCell figures={figuresOf(id)} span={figures} />,
        },
        {
          name: 'Last delivery',
          render: ({ lastDeliveryAt }) => (
            <span className={styles['line']}>
              <Moment at={lastDeliveryAt} />
            </span>
          ),
        },
        { name: 'Pending', render: ({ id }) => <WaitingCell pending={waiting.get(id)} /> },
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

function DayCell(props: {
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
  const says = `${delivered} successful and ${failed} failed attempts in the last 24 hours`;
  return (
    <div className={styles['day']}>
      <SuccessSpark slices={wholeSlices(figures.slices, span)} says={says} />
      <span>{formatShare(successRate)}</span>
    </div>
  );
}

function WaitingCell({ pending: waiting }: { pending: Waiting | undefined }): ReactNode {
  if (waiting === undefined) return '–';
  const { count, isMore, nextAt } = waiting;
  return (
    <Stack gap={0} className={styles['line']}>
      <span>
        {isMore ? 'at least ' : ''}
        {formatCount(count)}
      </span>
      {nextAt !== null && (
        <Text size="xs" c="dimmed" component="div">
          next <Moment at={nextAt} />
        </Text>
      )}
    </Stack>
  );
}
