import { Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Delivery } from '../api/calls.gen.ts';
import { formatMs } from '../format/number.ts';
import { type Column, DataTable } from '../ui/tables/data-table.tsx';
import { StatusBadge } from '../ui/values/status-badge.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { DeliveryStatus } from './delivery-status.tsx';
import styles from './delivery-table.module.css';
import { describeError } from './delivery-errors.ts';

const COMMON_COLUMNS: readonly Column<Delivery>[] = [
  { name: 'Status', render: ({ state }) => <DeliveryStatus state={state} /> },
  {
    name: 'Response',
    render: (delivery) => (
      <span className={styles['line']}>
        <ResponseSummary delivery={delivery} />
      </span>
    ),
  },
  {
    name: 'Attempts',
    isNumber: true,
    isExtra: true,
    render: ({ attemptCount, maxAttempts }) => `${attemptCount} / ${maxAttempts}`,
  },
  {
    name: 'Duration',
    isNumber: true,
    isExtra: true,
    render: ({ durationMs }) => (durationMs === null ? '–' : formatMs(durationMs)),
  },
  {
    name: 'Created',
    render: ({ createdAt }) => (
      <span className={styles['line']}>
        <RelativeTime at={createdAt} />
      </span>
    ),
  },
  {
    name: 'Next attempt',
    isExtra: true,
    render: ({ nextAttemptAt }) => (
      <span className={styles['line']}>
        <RelativeTime at={nextAttemptAt} placeholder="–" />
      </span>
    ),
  },
];

/** Lists deliveries, newest first. */
export function DeliveryTable<T extends Delivery>(props: {
  deliveries: readonly T[];
  /** Endpoint names by ID, or null while loading. */
  endpoints: ReadonlyMap<string, string> | null;
  empty: ReactNode;
  /** Hides the endpoint column. Used on the page of a single endpoint. */
  hidesEndpoint?: boolean;
  /** Returns the ID and label of a delivery's account, in lists that span several accounts. */
  accountOf?: (delivery: T) => { id: string; label: ReactNode };
}): ReactNode {
  const { deliveries, endpoints, empty, hidesEndpoint = false, accountOf } = props;
  const columns: Column<T>[] = [
    {
      name: 'Company',
      render: (delivery) => <Subject delivery={delivery} customer={accountOf?.(delivery).id} />,
    },
    ...(accountOf === undefined
      ? []
      : [{ name: 'Customer', render: (delivery: T) => accountOf(delivery).label }]),
    ...COMMON_COLUMNS,
  ];
  if (!hidesEndpoint) {
    columns.splice(1, 0, {
      name: 'Endpoint',
      isExtra: true,
      render: ({ endpointId }) => (
        <Text size="sm" truncate maw={190}>
          {endpoints === null ? '…' : (endpoints.get(endpointId) ?? 'deleted')}
        </Text>
      ),
    });
  }
  return (
    <DataTable
      caption="Deliveries, newest first"
      columns={columns}
      rows={deliveries}
      keyOf={({ id }) => id}
      empty={empty}
    />
  );
}

function Subject(props: { delivery: Delivery; customer: string | undefined }): ReactNode {
  const { delivery, customer } = props;
  const { id, symbol, templateId, test, replayOf } = delivery;
  return (
    <Stack gap={0}>
      <Group gap={6} wrap="nowrap">
        <Link
          to="/deliveries/$deliveryId"
          params={{ deliveryId: id }}
          {...(customer === undefined ? {} : { search: { customer } })}
          className={styles['symbol']}
          aria-label={`${symbol}, delivery ${id}`}
        >
          {symbol}
        </Link>
        {test && <StatusBadge tone="dusk">test</StatusBadge>}
        {replayOf !== null && <StatusBadge tone="plain">replay</StatusBadge>}
      </Group>
      <Text size="xs" c="dimmed">
        {templateId}
      </Text>
    </Stack>
  );
}

/** Error codes for which the HTTP status is also shown. */
const WITH_STATUS = /^(?:http_4xx|http_5xx|redirect|gone)$/;

function ResponseSummary({ delivery }: { delivery: Delivery }): ReactNode {
  const { responseStatus, lastErrorCode } = delivery;
  if (lastErrorCode === null) return responseStatus ?? '–';
  const { name } = describeError(lastErrorCode);
  const hasStatus = WITH_STATUS.test(lastErrorCode);
  return hasStatus && responseStatus !== null ? `${responseStatus} ${name}` : name;
}
