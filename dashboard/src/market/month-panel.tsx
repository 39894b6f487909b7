import { Button, Group, List } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { MarketOverride } from '../api/calls.gen.ts';
import { CALM_MS } from '../api/use-call.ts';
import { useRead } from '../api/use-read.ts';
import { formatDay, newYorkDate } from '../format/time.ts';
import { Loaded } from '../ui/page/loaded.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { useNow } from '../ui/values/use-now.ts';
import { kindOf, describeDay } from './day-labels.ts';
import { MonthTable } from './month-table.tsx';
import { addMonths, formatMonth, spanOf } from './month.ts';
import styles from './month-table.module.css';

/** Shows the trading days in a month as customers see them, with a list of the exceptions. */
export function MonthPanel(props: {
  month: string;
  overrides: readonly MarketOverride[];
  onPick: (date: string) => void;
}): ReactNode {
  const { month, overrides, onPick } = props;
  const days = useRead('market-calendar', spanOf(month), { everyMs: CALM_MS, keepsPrevious: true });
  const today = newYorkDate(new Date(useNow()));
  const active = overrides.filter(({ revokedAt }) => revokedAt === null);
  const name = formatMonth(month);
  return (
    <Panel title={name} aside={<MonthSteps month={month} />}>
      <Loaded query={days} height={420}>
        {(rows) => (
          <>
            <MonthTable
              {...{ name, month, today, days: rows, onPick }}
              changed={new Set(active.map(({ date }) => date))}
            />
            <MonthLegend />
            <List
              size="sm"
              mt="sm"
              c="dimmed"
              aria-label={`Holidays and short sessions in ${name}`}
            >
              {rows
                .filter((day) => day.date.startsWith(month))
                .filter((day) => ['closed', 'short'].includes(kindOf(day)))
                .map((day) => (
                  <List.Item key={day.date}>
                    {formatDay(day.date)}: {describeDay(day)}
                  </List.Item>
                ))}
            </List>
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function MonthSteps({ month }: { month: string }): ReactNode {
  const navigate = useNavigate({ from: '/operator/market' });
  const step = { variant: 'default', size: 'xs' } as const;
  function show(target: string | null): void {
    void navigate({ search: target === null ? {} : { month: target }, replace: true });
  }
  const previous = addMonths(month, -1);
  const next = addMonths(month, 1);
  return (
    <Group gap="xs">
      <Button {...step} onClick={() => show(previous)} aria-label={`Show ${formatMonth(previous)}`}>
        <IconChevronLeft size={16} />
      </Button>
      <Button {...step} onClick={() => show(null)}>
        This month
      </Button>
      <Button {...step} onClick={() => show(next)} aria-label={`Show ${formatMonth(next)}`}>
        <IconChevronRight size={16} />
      </Button>
    </Group>
  );
}

const MEANINGS = [
  { kind: 'open', text: 'Full session' },
  { kind: 'short', text: 'Short session' },
  { kind: 'closed', text: 'Closed' },
  { kind: 'open', text: 'Overridden', isChanged: true },
];

/** Explains how each kind of day is displayed. */
function MonthLegend(): ReactNode {
  return (
    <ul className={styles['legend']} aria-label="Legend">
      {MEANINGS.map(({ kind, text, isChanged = false }) => (
        <li key={text}>
          <span className={styles['day']} data-kind={kind} data-changed={isChanged} />
          {text}
        </li>
      ))}
    </ul>
  );
}
