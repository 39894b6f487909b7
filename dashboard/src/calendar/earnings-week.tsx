import { Stack, Text, Group } from '@mantine/core';
import { IconCalendarOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { EarningsCalendar } from '@afterbell/sdk';
import { CALM_MS } from '../api/use-call.ts';
import { useRead } from '../api/use-read.ts';
import { formatDay, newYorkDate } from '../format/time.ts';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { useNow } from '../ui/values/use-now.ts';
import { SymbolLink } from '../ui/values/symbol-link.tsx';
import type { CalendarSearch, OnSearch, Week } from './calendar-search.ts';
import { DayTabs } from './week-steps.tsx';
import { daysOf, filterDay, reportsOf } from './reports.ts';
import { WeekBoard } from './week-board.tsx';
import styles from './report-chip.module.css';

/** Shows the reports for a week by day and session. */
export function EarningsWeek(props: {
  week: Week;
  search: CalendarSearch;
  onSearch: OnSearch;
}): ReactNode {
  const { week, search, onSearch } = props;
  const { monday, friday, sunday, selected } = week;
  const today = newYorkDate(new Date(useNow()));
  const options = { everyMs: CALM_MS, keepsPrevious: true };
  const reports = useRead('calendar-earnings', earningsQuery(week, search), options);
  const market = useRead('market-calendar', { from: monday, to: sunday }, { keepsPrevious: true });
  return (
    <Stack gap="md">
      <DayTabs week={week} onSearch={onSearch} />
      <Loaded query={reports} height={420}>
        {(answer) => {
          const days = daysOf(answer).map((day) => filterDay(day, search));
          const weekend = days.slice(5).flatMap(reportsOf);
          const sessions = days.slice(0, 5);
          return (
            <>
              <WeekBoard
                days={sessions}
                market={market.data ?? []}
                today={today}
                chosen={selected}
                isStale={reports.isPlaceholderData}
              />
              {weekend.length > 0 && (
                <Text size="sm" c="dimmed">
                  Weekend:{' '}
                  {weekend.map(({ id, symbol, date }) => (
                    <span key={id}>
                      <SymbolLink symbol={symbol} /> ({formatDay(date)}){' '}
                    </span>
                  ))}
                </Text>
              )}
              <EmptyWeek days={sessions} isFiltered={isFiltered(search)} friday={friday} />
            </>
          );
        }}
      </Loaded>
      <StatusLegend />
    </Stack>
  );
}

/** Returns the query parameters for a week. */
export function earningsQuery(
  week: Week,
  { symbols }: CalendarSearch,
): { from: string; to: string; symbols?: string } {
  return {
    from: week.monday,
    to: week.sunday,
    ...(symbols === undefined ? {} : { symbols }),
  };
}

function EmptyWeek(props: {
  days: readonly EarningsCalendar[];
  isFiltered: boolean;
  friday: string;
}): ReactNode {
  const { days, isFiltered, friday } = props;
  if (days.some((day) => reportsOf(day).length > 0)) return null;
  return (
    <EmptyState
      icon={<IconCalendarOff size={24} />}
      title={isFiltered ? 'No matching reports this week' : 'No reports this week'}
    >
      {isFiltered
        ? `No report in the week to ${formatDay(friday)} matches the filters.`
        : 'Reports appear here as their dates become known: first projected, then confirmed, then reported. Most companies report in the weeks after a quarter ends.'}
    </EmptyState>
  );
}

function isFiltered({ find, sure, symbols }: CalendarSearch): boolean {
  return find !== undefined || sure !== undefined || symbols !== undefined;
}

const STATUSES = [
  ['projected', 'estimated; not announced by the company'],
  ['confirmed', 'announced by the company'],
  ['reported', 'results published; ▲▼ EPS surprise'],
] as const;

/** Explains how reports are displayed for each date status. */
function StatusLegend(): ReactNode {
  return (
    <Group gap="lg" component="section" aria-label="Date status">
      {STATUSES.map(([status, meaning]) => (
        <Group key={status} gap={8} wrap="nowrap">
          <span className={styles['sample']}>
            <span className={styles['chip']} data-sure={status} data-size="small">
              {status}
            </span>
          </span>
          <Text size="xs" c="dimmed">
            {meaning}
          </Text>
        </Group>
      ))}
    </Group>
  );
}
