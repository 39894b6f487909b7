import { SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WebhookEndpoint } from '../../api/calls.gen.ts';
import { formatCount, formatShare } from '../../format/number.ts';
import { StatusBadge } from '../../ui/values/status-badge.tsx';
import { RelativeTime } from '../../ui/values/relative-time.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { Stat } from '../../ui/values/stat.tsx';
import { endpointStatus } from '../endpoint-status.ts';
import { usePendingDeliveries } from '../pending-deliveries.ts';

/** Shows the endpoint's status and key figures. */
export function HealthPanel({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const { recentDelivered, recentFailed, lastSuccessAt, lastFailureAt, failingSince } = endpoint;
  const pending = usePendingDeliveries(endpoint.id).get(endpoint.id);
  const { tone, text, means } = endpointStatus(endpoint);
  const total = recentDelivered + recentFailed;
  const wasTried = lastSuccessAt !== null || lastFailureAt !== null;
  const nothingYet = wasTried ? 'only test deliveries so far' : 'no deliveries yet';
  return (
    <Panel title="Health" aside={<StatusBadge tone={tone}>{text}</StatusBadge>}>
      {means !== null && (
        <Text size="sm" mb="md" component="div">
          {means}
          {failingSince !== null && (
            <>
              {' '}
              First failure: <RelativeTime at={failingSince} />.
            </>
          )}
        </Text>
      )}
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="lg">
        <Stat
          name="Success rate"
          value={total === 0 ? '–' : formatShare(recentDelivered / total)}
          note={total === 0 ? nothingYet : `last ${total} deliveries, including retries`}
        />
        <Stat name="Last delivered" value={<RelativeTime at={lastSuccessAt} />} />
        <Stat name="Last failure" value={<RelativeTime at={lastFailureAt} />} />
        <Stat
          name="Pending"
          value={
            pending === undefined
              ? '0'
              : `${pending.isMore ? 'over ' : ''}${formatCount(pending.count)}`
          }
          note={
            pending === undefined || pending.nextAt === null ? (
              'none due'
            ) : (
              <>
                next <RelativeTime at={pending.nextAt} />
              </>
            )
          }
        />
      </SimpleGrid>
    </Panel>
  );
}
