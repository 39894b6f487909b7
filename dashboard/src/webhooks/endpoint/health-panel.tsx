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

/** How an endpoint stands now, in words and four figures. */
export function HealthPanel({ of: endpoint }: { of: WebhookEndpoint }): ReactNode {
  const { recentDelivered, recentFailed, lastSuccessAt, lastFailureAt, failingSince } = endpoint;
  const waiting = useWaiting(endpoint.id).get(endpoint.id);
  const { tone, text, means } = standingOf(endpoint);
  const ended = recentDelivered + recentFailed;
  const wasTried = lastSuccessAt !== null || lastFailureAt !== null;
  const nothingYet = wasTried ? 'nothing that ended but tests' : 'nothing was sent yet';
  return (
    <Panel title="Health" aside={<Mark tone={tone}>{text}</Mark>}>
      {means !== null && (
        <Text size="sm" mb="md" component="div">
          {means}
          {failingSince !== null && (
            <>
              {' '}
              The first failure was <Moment at={failingSince} />.
            </>
          )}
        </Text>
      )}
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="lg">
        <Stat
          name="Delivered in the end"
          value={ended === 0 ? '–' : formatShare(recentDelivered / ended)}
          note={ended === 0 ? nothingYet : `of the last ${ended}, retries included`}
        />
        <Stat name="Answered 2xx last" value={<Moment at={lastSuccessAt} />} />
        <Stat name="Failed last" value={<Moment at={lastFailureAt} />} />
        <Stat
          name="Waiting"
          value={
            waiting === undefined
              ? '0'
              : `${waiting.isMore ? 'over ' : ''}${formatCount(waiting.count)}`
          }
          note={
            waiting === undefined || waiting.nextAt === null ? (
              'nothing is due'
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
