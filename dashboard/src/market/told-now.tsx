import { Group, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { MarketStatus, MarketStatusDay } from '../api/reads.gen.ts';
import { LIVE_MS } from '../api/use-call.ts';
import { useRead } from '../api/use-read.ts';
import { formatDay, formatHere, formatNewYork } from '../format/time.ts';
import { Loaded } from '../ui/page/loaded.tsx';
import { Mark, type Tone } from '../ui/values/mark.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { Stat } from '../ui/values/stat.tsx';

const TONES: Readonly<Record<MarketStatus['currentMarketStatus'], Tone>> = {
  'pre-market': 'dawn',
  open: 'good',
  'after-hours': 'dusk',
  closed: 'plain',
};

/** The current response of /v1/market-status, so that the effect of a change is visible. */
export function ToldNow(): ReactNode {
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
        {(told) => (
          <SimpleGrid cols={{ base: 2, lg: 4 }} spacing="lg" aria-live="polite">
            <Stat
              name="Session"
              value={
                <Group gap="xs">
                  {told.currentMarketStatus}
                  {told.closedReason !== null && (
                    <Mark tone={TONES[told.currentMarketStatus]}>{sayWhy(told)}</Mark>
                  )}
                </Group>
              }
              note={formatNewYork(told.timestamp)}
            />
            <Stat
              name="Next change"
              value={told.nextStatus}
              note={
                <>
                  {formatNewYork(told.nextStatusAt)}
                  <br />
                  {formatHere(told.nextStatusAt)}
                </>
              }
            />
            <DayStat name="Today" day={told.today} />
            <DayStat name="Tomorrow" day={told.tomorrow} />
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

function sayWhy({ closedReason, holiday }: MarketStatus): string {
  return holiday ?? (closedReason ?? '').replaceAll('-', ' ');
}
