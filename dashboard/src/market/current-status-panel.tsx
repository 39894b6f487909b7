import { Group, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { MarketStatus, MarketStatusDay } from '@afterbell/sdk';
import { LIVE_MS } from '../api/use-call.ts';
import { useRead } from '../api/use-read.ts';
import { formatDay, formatHere, formatNewYork } from '../format/time.ts';
import { Loaded } from '../ui/page/loaded.tsx';
import { StatusBadge, type Tone } from '../ui/values/status-badge.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { Stat } from '../ui/values/stat.tsx';

const TONES: Readonly<Record<MarketStatus['currentMarketStatus'], Tone>> = {
  'pre-market': 'dawn',
  open: 'good',
  'after-hours': 'dusk',
  closed: 'plain',
};

/**
 * Shows the current response from /v1/market-status, so that the operator sees the effect of a
 * change.
 */
export function CurrentStatusPanel(): ReactNode {
  const status = useRead('market-status', {}, { everyMs: LIVE_MS });
  return (
    <Panel
      title="Current status"
      aside={
        <Text size="sm" c="dimmed">
          GET /v1/market-status
        </Text>
      }
    >
      <Loaded query={status} height={84}>
        {(current) => (
          <SimpleGrid cols={{ base: 2, lg: 4 }} spacing="lg" aria-live="polite">
            <Stat
              name="Session"
              value={
                <Group gap="xs">
                  {current.currentMarketStatus}
                  {current.closedReason !== null && (
                    <StatusBadge tone={TONES[current.currentMarketStatus]}>
                      {closedReasonText(current)}
                    </StatusBadge>
                  )}
                </Group>
              }
              note={formatNewYork(current.timestamp)}
            />
            <Stat
              name="Next change"
              value={current.nextStatus}
              note={
                <>
                  {formatNewYork(current.nextStatusAt)}
                  <br />
                  {formatHere(current.nextStatusAt)}
                </>
              }
            />
            <DayStat name="Today" day={current.today} />
            <DayStat name="Tomorrow" day={current.tomorrow} />
          </SimpleGrid>
        )}
      </Loaded>
    </Panel>
  );
}

function DayStat({ name, day }: { name: string; day: MarketStatusDay }): ReactNode {
  const note = [formatDay(day.date), ...(day.holiday === null ? [] : [day.holiday])].join(' · ');
  return (
    <Stat name={name} value={day.isOpen ? `${day.open}–${day.close}` : 'No session'} note={note} />
  );
}

function closedReasonText({ closedReason, holiday }: MarketStatus): string {
  return holiday ?? (closedReason ?? '').replaceAll('-', ' ');
}
