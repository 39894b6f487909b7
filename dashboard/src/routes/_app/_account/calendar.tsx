import { Group, Stack, Tabs } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CalendarFilters } from '../../../calendar/calendar-filters.tsx';
import {
  type CalendarName,
  CALENDARS,
  type CalendarSearch,
  readCalendarSearch,
  type Week,
  weekOf,
} from '../../../calendar/calendar-search.ts';
import { DayDrawer } from '../../../calendar/day-drawer.tsx';
import { DividendList, dividendsQuery } from '../../../calendar/dividend-list.tsx';
import { earningsQuery, EarningsWeek } from '../../../calendar/earnings-week.tsx';
import { economicQuery, EconomicWeek } from '../../../calendar/economic-week.tsx';
import { IpoList, symbolsQuery } from '../../../calendar/ipo-list.tsx';
import { type CalendarEndpoint, ExportActions } from '../../../calendar/export-actions.tsx';
import { WeekSteps } from '../../../calendar/week-steps.tsx';
import { Page } from '../../../ui/page/page.tsx';
import { useNow } from '../../../ui/values/use-now.ts';

export const Route = createFileRoute('/_app/_account/calendar')({
  validateSearch: readCalendarSearch,
  component: Calendar,
});

function Calendar(): ReactNode {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const week = weekOf(search.date, useNow());
  const { calendar = 'earnings' } = search;
  const current = CALENDARS.find(({ value }) => value === calendar) ?? CALENDARS[0];

  function change(to: CalendarSearch): void {
    void navigate({ search: (now) => ({ ...now, ...to }), replace: true, resetScroll: false });
  }

  return (
    <Page
      title={current.title}
      lead={current.lead}
      actions={<ExportActions {...requestFor(calendar, week, search)} symbols={search.symbols} />}
    >
      <Tabs
        value={calendar}
        onChange={(value) => change({ calendar: readCalendarSearch({ calendar: value }).calendar })}
      >
        <Tabs.List>
          {CALENDARS.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={calendar} pt="lg">
          <Stack gap="md">
            <Group justify="space-between" gap="sm">
              {calendar !== 'ipos' && <WeekSteps week={week} onSearch={change} />}
              <CalendarFilters search={search} onSearch={change} />
            </Group>
            {calendar === 'earnings' && (
              <EarningsWeek week={week} search={search} onSearch={change} />
            )}
            {calendar === 'economic' && <EconomicWeek week={week} search={search} />}
            {calendar === 'ipos' && <IpoList search={search} />}
            {calendar === 'dividends' && <DividendList week={week} search={search} />}
          </Stack>
        </Tabs.Panel>
      </Tabs>
      <DayDrawer search={search} onSearch={change} />
    </Page>
  );
}

/** Returns the API request for the calendar that is currently shown. */
function requestFor(
  calendar: CalendarName,
  week: Week,
  search: CalendarSearch,
): { endpoint: CalendarEndpoint; query: object } {
  switch (calendar) {
    case 'earnings':
      return { endpoint: 'calendar-earnings', query: earningsQuery(week, search) };
    case 'economic':
      return { endpoint: 'calendar-economic', query: economicQuery(week, search) };
    case 'ipos':
      return { endpoint: 'calendar-ipo', query: symbolsQuery(search) };
    case 'dividends':
      return { endpoint: 'calendar-dividends', query: dividendsQuery(week, search) };
  }
}
