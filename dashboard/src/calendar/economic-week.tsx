import { Anchor, Text, Tooltip, VisuallyHidden } from '@mantine/core';
import { IconCalendarOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { EconomicEvent } from '@afterbell/sdk';
import { CALM_MS } from '../api/use-call.ts';
import { useRead } from '../api/use-read.ts';
import { formatWholeDay } from '../format/day.ts';
import { formatHere } from '../format/time.ts';
import { type Column, DataTable } from '../ui/tables/data-table.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { Panel } from '../ui/page/panel.tsx';
import type { CalendarSearch, Week } from './calendar-search.ts';
import styles from './economic-week.module.css';

const IMPORTANCE_MAX = 3;
const IMPORTANCE = ['unknown', 'low', 'medium', 'high'];

const MEASURES: Readonly<Record<NonNullable<EconomicEvent['measure']>, string>> = {
  mom: ', month over month',
  qoq: ', quarter over quarter',
  yoy: ', year over year',
  level: '',
};

const COLUMNS: readonly Column<EconomicEvent>[] = [
  { name: 'New York', render: (event) => <When event={event} /> },
  { name: 'Release', render: (event) => <Release event={event} /> },
  { name: 'Actual', isNumber: true, render: ({ actual }) => <b>{actual ?? '–'}</b> },
  { name: 'Forecast', isNumber: true, render: ({ consensus }) => consensus ?? '–' },
  { name: 'Previous', isNumber: true, render: (event) => <Previous event={event} /> },
];

/** Shows the economic releases for a week by day and time. */
export function EconomicWeek(props: { week: Week; search: CalendarSearch }): ReactNode {
  const { week, search } = props;
  const events = useRead('calendar-economic', economicQuery(week, search), {
    everyMs: CALM_MS,
    keepsPrevious: true,
  });
  const term = search.find?.trim().toLowerCase() ?? '';
  return (
    <Loaded query={events} height={420}>
      {(rows) => {
        const matching = rows.filter(({ eventName, country }) =>
          `${eventName} ${country}`.toLowerCase().includes(term),
        );
        const days = Map.groupBy(matching, ({ date }) => date);
        if (days.size === 0) {
          return (
            <EmptyState icon={<IconCalendarOff size={24} />} title="No releases this week">
              There are none, or none match the filters. Releases appear here with their forecast;
              the actual figure is added when it is published.
            </EmptyState>
          );
        }
        return [...days].toSorted(byDay).map(([date, dayEvents]) => (
          <Panel key={date} title={formatWholeDay(date)} isFlush>
            <DataTable
              caption={`Economic releases on ${formatWholeDay(date)}`}
              columns={COLUMNS}
              rows={dayEvents}
              keyOf={({ id }) => id}
            />
          </Panel>
        ));
      }}
    </Loaded>
  );
}

export function economicQuery(
  week: Week,
  { major }: CalendarSearch,
): { from: string; to: string; usmajor?: boolean } {
  const { monday: from, sunday: to } = week;
  return { from, to, ...(major === true ? { usmajor: true } : {}) };
}

function When({ event }: { event: EconomicEvent }): ReactNode {
  return (
    <>
      <Clock event={event} />
      <Importance importance={event.importance} />
    </>
  );
}

function Clock({ event: { time, scheduledAt, timeStatus } }: { event: EconomicEvent }): ReactNode {
  if (scheduledAt === null) return time === '24H' ? 'All day' : time;
  return (
    <Tooltip label={formatHere(scheduledAt)} events={{ hover: true, focus: true, touch: true }}>
      <time dateTime={scheduledAt} className={styles['clock']}>
        {timeStatus === 'tentative' && '~ '}
        {time}
      </time>
    </Tooltip>
  );
}

function Importance({ importance }: { importance: number }): ReactNode {
  return (
    <span className={styles['weight']}>
      {Array.from({ length: IMPORTANCE_MAX }, (_, step) => (
        <span key={step} aria-hidden data-on={step < importance} />
      ))}
      <VisuallyHidden>importance: {IMPORTANCE[importance] ?? importance}</VisuallyHidden>
    </span>
  );
}

function Release({ event }: { event: EconomicEvent }): ReactNode {
  const { eventName, country, period, sourceUrl } = event;
  return (
    <div className={styles['release']}>
      {sourceUrl?.startsWith('https://') === true ? (
        <Anchor href={sourceUrl} rel="noreferrer" target="_blank" size="sm" fw={550}>
          {eventName}
        </Anchor>
      ) : (
        <Text size="sm" fw={550}>
          {eventName}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {country}
        {period !== null && `, ${period}`}
        {event.measure !== null && MEASURES[event.measure]}
        {event.usMajor && ', major'}
      </Text>
    </div>
  );
}

function Previous({ event: { previous, revised } }: { event: EconomicEvent }): ReactNode {
  if (revised === null) return previous ?? '–';
  return (
    <>
      {revised}{' '}
      <Text span size="xs" c="dimmed">
        revised from {previous ?? '–'}
      </Text>
    </>
  );
}

function byDay([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}
