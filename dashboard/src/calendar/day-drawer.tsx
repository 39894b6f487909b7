import { Drawer, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CALM_MS } from '../api/use-call.ts';
import { useRead } from '../api/use-read.ts';
import { formatWholeDay } from '../format/day.ts';
import { Loaded } from '../ui/page/loaded.tsx';
import { ApiSource } from '../ui/controls/api-source.tsx';
import type { CalendarSearch, OnSearch } from './calendar-search.ts';
import { CalendarFilters } from './calendar-filters.tsx';
import { DayTable } from './day-table.tsx';
import { daysOf, filterDay, reportsOf } from './reports.ts';

const SESSIONS = [
  { value: 'all', label: 'All' },
  { value: 'time-pre-market', label: 'Before open' },
  { value: 'time-after-hours', label: 'After close' },
  { value: 'other', label: 'Other' },
];

/**
 * Lists all reports for a day, with estimates and results. The calendar filters also apply here.
 */
export function DayDrawer(props: { search: CalendarSearch; onSearch: OnSearch }): ReactNode {
  const { search, onSearch } = props;
  const { day } = search;
  return (
    <Drawer
      opened={day !== undefined}
      onClose={() => onSearch({ day: undefined })}
      position="right"
      size="min(1260px, 100%)"
      title={day === undefined ? '' : `Reports on ${formatWholeDay(day)}`}
      closeButtonProps={{ 'aria-label': 'Close day list' }}
    >
      {day !== undefined && <DayList day={day} search={search} onSearch={onSearch} />}
    </Drawer>
  );
}

function DayList(props: { day: string; search: CalendarSearch; onSearch: OnSearch }): ReactNode {
  const { day, search, onSearch } = props;
  const { symbols } = search;
  const [session, setSession] = useState('all');
  const query = { date: day, ...(symbols === undefined ? {} : { symbols }) };
  const reports = useRead('calendar-earnings', query, { everyMs: CALM_MS });
  return (
    <Stack gap="md">
      <Group gap="sm">
        <SegmentedControl
          aria-label="Session"
          data={SESSIONS}
          value={session}
          onChange={setSession}
          size="xs"
        />
        <CalendarFilters search={search} onSearch={onSearch} />
      </Group>
      <Loaded query={reports}>
        {(answer) => {
          const rows = daysOf(answer).flatMap((calendarDay) =>
            reportsOf(filterDay(calendarDay, search)),
          );
          const visible = rows.filter(({ time }) => isInSession(session, time));
          return (
            <>
              <Text size="sm" c="dimmed" aria-live="polite">
                {visible.length === 1 ? '1 report' : `${visible.length} reports`}
              </Text>
              <DayTable reports={visible} day={day} />
            </>
          );
        }}
      </Loaded>
      <ApiSource endpoint="calendar-earnings" query={query} />
    </Stack>
  );
}

function isInSession(session: string, time: string): boolean {
  if (session === 'all' || session === time) return true;
  return session === 'other' && time !== 'time-pre-market' && time !== 'time-after-hours';
}
