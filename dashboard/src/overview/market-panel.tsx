import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { MarketStatus } from '../api/reads.gen.ts';
import { CALM_MS } from '../api/use-call.ts';
import { useRead } from '../api/use-read.ts';
import { formatNewYork, formatNewYorkTime } from '../format/time.ts';
import { Loaded } from '../ui/page/loaded.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { FreshnessLine } from './freshness-line.tsx';
import { MarketDay } from './market-day.tsx';
import { todayNote } from './today-note.ts';

const WORDS = {
  'pre-market': 'Pre-market trading',
  open: 'Market open',
  'after-hours': 'After-hours trading',
  closed: 'Market closed',
} as const;

const NEXT = {
  'pre-market': 'Pre-market starts',
  open: 'Opens',
  'after-hours': 'After-hours start',
  closed: 'Closes',
} as const;

/** The current session, the next change and the data freshness. */
export function MarketPanel(): ReactNode {
  const status = useRead('market-status', {}, { everyMs: CALM_MS });
  return (
    <Panel title="Market">
      <Stack gap="md">
        <Loaded query={status} height={110}>
          {(now) => <Session status={now} />}
        </Loaded>
        <FreshnessLine />
      </Stack>
    </Panel>
  );
}

function Session({ status }: { status: MarketStatus }): ReactNode {
  const { currentMarketStatus, nextStatus, nextStatusAt, today } = status;
  return (
    <Stack gap="sm">
      <div>
        <Text fw={600} fz="lg">
          {WORDS[currentMarketStatus]}
        </Text>
        <Text size="sm" c="dimmed" component="div">
          {todayNote(status)}
          {NEXT[nextStatus]} <RelativeTime at={nextStatusAt} />, {formatNewYork(nextStatusAt)}.
        </Text>
      </div>
      {today.isOpen && <MarketDay day={today} at={status.timestamp} />}
      {today.isEarlyClose && today.close !== null && (
        <Group gap="xs">
          <Text size="sm">Early close today at {formatNewYorkTime(today.close)}</Text>
        </Group>
      )}
    </Stack>
  );
}
