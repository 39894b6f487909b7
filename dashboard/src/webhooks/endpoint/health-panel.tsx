import { SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WebhookEndpoint } from '../../api/calls.gen.ts';
import { formatCount, formatShare } from '../../format/number.ts';
import { Mark } from '../../ui/values/mark.tsx';
import { Moment } from '../../ui/values/moment.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { Stat } from '../../ui/values/stat.tsx';
import { standingOf } from '../endpoint-standing.ts';
import { useWaiting } from '../waiting.ts';

/** The endpoint's status and key figures. */
export function HealthPanel({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const { recentDelivered, recentFailed, lastSuccessAt, lastFailureAt, failingSince } = endpoint;
  const waiting = useWaiting(endpoint.id).get(endpoint.id);
  const { tone, text, means } = standingOf(endpoint);
  const ended = recentDelivered + recentFailed;
  const wasTried = lastSuccessAt !== null || lastFailureAt !== null;
  const nothingYet = wasTried ? 'only test deliveries so far' : 'no deliveries yet';
  return (
    <Panel title="Health" aside={<Mark tone={tone}>{text}</Mark>}>
      {means !== null && (
        <Text size="sm" mb="md" component="div">
          {means}
          {failingSince !== null && (
            <>
              {' '}
              First failure: <Moment at={failingSince} />.
            </>
          )}
        </Text>
      )}
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="lg">
        <Stat
          name="Success rate"
          value={ended === 0 ? '–' : formatShare(recentDelivered / ended)}
          note={ended === 0 ? nothingYet : `last ${ended} deliveries, including retries`}
        />
        <Stat name="Last delivered" value={<Moment at={lastSuccessAt} />} />
        <Stat name="Last failure" value={<Moment at={lastFailureAt} />} />
        <Stat
          name="Pending"
          value={
            waiting === undefined
              ? '0'
              : `${waiting.isMore ? 'over ' : ''}${formatCount(waiting.count)}`
          }
          note={
            waiting === undefined || waiting.nextAt === null ? (
              'none due'
            ) : (
              <>
                next <Moment at={waiting.nextAt} />
              </>
            )
          }
        />
      </SimpleGrid>
    </Panel>
  );
}
