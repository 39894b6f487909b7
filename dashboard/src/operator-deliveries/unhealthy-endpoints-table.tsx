import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { UnhealthyEndpoint } from '../api/calls.gen.ts';
import { CustomerLink } from '../customers/customer-link.tsx';
import { useCustomerInfo } from '../customers/use-customer-info.ts';
import { shortUrl } from '../deliveries/use-endpoint-names.ts';
import { formatCount } from '../format/number.ts';
import { type Column, DataTable } from '../ui/tables/data-table.tsx';
import { StrongLink } from '../ui/controls/links.tsx';
import { LongText } from '../ui/values/long-text.tsx';
import { StatusBadge } from '../ui/values/status-badge.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';

/** Lists endpoints with failing or overdue deliveries, worst first. */
export function UnhealthyEndpointsTable(props: {
  endpoints: readonly UnhealthyEndpoint[];
  /** Uses a narrow layout, without times and with the customer below the endpoint. */
  isBrief?: boolean;
}): ReactNode {
  const { endpoints, isBrief = false } = props;
  return (
    <DataTable
      caption="Endpoints with problems, worst first"
      rows={endpoints}
      keyOf={({ endpointId }) => endpointId}
      empty={
        <Text size="sm" c="dimmed" px="lg" pt={4} pb="md">
          No endpoints are failing or overdue.
        </Text>
      }
      columns={[
        {
          name: 'Endpoint',
          render: ({ url, endpointId, customerId }) => (
            <>
              <LongText lines={2} fullText={url}>
                <StrongLink
                  to="/webhooks/$endpointId"
                  params={{ endpointId }}
                  search={{ customer: customerId }}
                >
                  {shortUrl(url)}
                </StrongLink>
              </LongText>
              {isBrief && <CustomerLink id={customerId} />}
            </>
          ),
        },
        ...(isBrief ? [] : [CUSTOMER]),
        { name: 'Status', render: (endpoint) => <EndpointStatus endpoint={endpoint} /> },
        ...(isBrief ? [] : TIMES),
      ]}
    />
  );
}

const CUSTOMER: Column<UnhealthyEndpoint> = {
  name: 'Customer',
  render: ({ customerId }) => <CustomerLink id={customerId} />,
};

const TIMES: readonly Column<UnhealthyEndpoint>[] = [
  {
    name: 'Oldest due',
    isExtra: true,
    render: ({ oldestDueAt }) => <RelativeTime at={oldestDueAt} placeholder="–" />,
  },
  {
    name: 'Last delivered',
    isExtra: true,
    render: ({ lastSuccessAt }) => <RelativeTime at={lastSuccessAt} />,
  },
];

function EndpointStatus({ endpoint }: { endpoint: UnhealthyEndpoint }): ReactNode {
  const { customerId, failingSince, failureCount, isSlow } = endpoint;
  const { isSuspended } = useCustomerInfo(customerId);
  if (isSuspended) return <StatusBadge tone="plain">paused: customer suspended</StatusBadge>;
  const throttled = isSlow ? ', throttled' : '';
  if (failingSince === null) return <StatusBadge tone="warn">{`overdue${throttled}`}</StatusBadge>;
  return (
    <Stack gap={2} align="flex-start">
      <StatusBadge tone="bad">{`failing${throttled}`}</StatusBadge>
      <Text size="xs" c="dimmed">
        {failureCount === 1
          ? '1 failed attempt, '
          : `${formatCount(failureCount)} failed attempts, first `}
        <RelativeTime at={failingSince} />
      </Text>
    </Stack>
  );
}
