import { Button } from '@mantine/core';
import { IconCalendarExclamation } from '@tabler/icons-react';
import { createFileRoute } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { CALM_MS, useCall } from '../../../api/use-call.ts';
import { newYorkDate } from '../../../format/time.ts';
import { MonthPanel } from '../../../market/month-panel.tsx';
import { nextWeekday, readMonth } from '../../../market/month.ts';
import { OverrideDialog } from '../../../market/override-dialog.tsx';
import { OverrideList } from '../../../market/override-list.tsx';
import { CurrentStatusPanel } from '../../../market/current-status-panel.tsx';
import { Loaded } from '../../../ui/page/loaded.tsx';
import { Page } from '../../../ui/page/page.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { useNow } from '../../../ui/values/use-now.ts';

interface MarketSearch {
  /** A month such as `2026-11`. Defaults to the current month. */
  month?: string;
}

export const Route = createFileRoute('/_app/operator/market')({
  validateSearch: ({ month }: Record<string, unknown>): MarketSearch => {
    const parsed = readMonth(month);
    return parsed === null ? {} : { month: parsed };
  },
  component: MarketCalendar,
});

function MarketCalendar(): ReactNode {
  const today = newYorkDate(new Date(useNow()));
  const { month = today.slice(0, 7) } = Route.useSearch();
  const overrides = useCall('market-overrides-list', {}, { everyMs: CALM_MS });
  const [selectedDate, setSelectedDate] = useState<string | null>(null);
  return (
    <Page
      title="Market calendar"
      lead="U.S. market trading days. In an emergency, close a day, or set an early close or late open for all customers."
      actions={
        <Button
          leftSection={<IconCalendarExclamation size={16} aria-hidden />}
          onClick={() => setSelectedDate(nextWeekday(today))}
        >
          Change trading day
        </Button>
      }
    >
      <CurrentStatusPanel />
      <MonthPanel month={month} overrides={overrides.data ?? []} onPick={setSelectedDate} />
      <Panel title="Calendar changes" isFlush>
        <Loaded query={overrides}>
          {(rows) => (
            <OverrideList overrides={rows} onAdd={() => setSelectedDate(nextWeekday(today))} />
          )}
        </Loaded>
      </Panel>
      <OverrideDialog date={selectedDate} onClose={() => setSelectedDate(null)} />
    </Page>
  );
}
