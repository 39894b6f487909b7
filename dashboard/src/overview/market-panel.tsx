import { Group, Stack, Text, Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import type { MarketStatus, MarketStatusDay } from '@afterbell/sdk';
import { CALM_MS } from '../api/use-call.ts';
import { useRead } from '../api/use-read.ts';
import { formatNewYork, formatNewYorkTime } from '../format/time.ts';
import { Loaded } from '../ui/page/loaded.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { todayNote } from './today-note.ts';
import { type DatasetFreshness, useServiceStatus } from '../api/use-service-status.ts';
import { minutesOf, shareOf } from './day-clock.ts';
import styles from './market-day.module.css';

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

/** Shows the current session, the next change, and the data freshness. */
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
          <Text size="sm">Early close today at {today.close} in New York</Text>
        </Group>
      )}
    </Stack>
  );
}

/** Summarizes the data freshness on one line. */
function FreshnessLine(): ReactNode {
  const { data } = useServiceStatus();
  if (data === undefined) return null;
  const { datasets, synthetic } = data;
  const late = datasets.filter(({ state }) => state === 'late' || state === 'failing');
  const newest = newestOf(datasets);
  return (
    <Text size="sm" c="dimmed" component="div">
      {synthetic ? 'Simulated data. ' : ''}
      {late.length === 0
        ? 'Data is up to date'
        : `Delayed: ${late.map(({ dataset }) => dataset.replaceAll('-', ' ')).join(', ')}`}
      {newest !== null && (
        <>
          , last change <RelativeTime at={newest} />
        </>
      )}
      .{' '}
      <Anchor href="/status" size="sm">
        Status
      </Anchor>
    </Text>
  );
}

function newestOf(datasets: readonly DatasetFreshness[]): string | null {
  const changes = datasets.flatMap(({ lastChangeAt }) => lastChangeAt ?? []);
  return changes.toSorted((a, b) => Date.parse(b) - Date.parse(a))[0] ?? null;
}

/** Shows the trading day as a bar from pre-market to after-hours, with the current time marked. */
function MarketDay({ day, at }: { day: MarketStatusDay; at: string }): ReactNode {
  const { preMarketOpen, open, close, afterHoursClose } = day;
  if (preMarketOpen === null || open === null || close === null || afterHoursClose === null) {
    return null;
  }
  const hours = [preMarketOpen, open, close, afterHoursClose];
  const [begin = 0, opens = 0, closes = 0, end = 0] = hours.map(minutesOf);
  const now = formatNewYorkTime(at);
  const span = { from: preMarketOpen, to: afterHoursClose };
  const share = shareOf(now, span);
  return (
    <div>
      <div
        className={styles['day']}
        role="img"
        aria-label={`In New York: pre-market from ${hours[0]}, open from ${hours[1]} to ${hours[2]}, after hours until ${hours[3]}. It is ${now}.`}
      >
        <span className={styles['part']} data-part="dawn" style={{ flexGrow: opens - begin }} />
        <span className={styles['part']} data-part="day" style={{ flexGrow: closes - opens }} />
        <span className={styles['part']} data-part="dusk" style={{ flexGrow: end - closes }} />
        {share !== null && <span className={styles['now']} style={{ left: `${share * 100}%` }} />}
      </div>
      <div className={styles['hours']} aria-hidden>
        {hours.map((hour) => (
          <span key={hour} style={{ left: `${(shareOf(hour, span) ?? 0) * 100}%` }}>
            {hour}
          </span>
        ))}
      </div>
    </div>
  );
}
