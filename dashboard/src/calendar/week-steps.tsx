import { ActionIcon, Button, Group, SegmentedControl, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatSpan, formatWeekday } from '../format/day.ts';
import { addDays } from '../format/time.ts';
import { DayField } from '../ui/controls/day-field.tsx';
import type { OnSearch, Week } from './calendar-search.ts';

/** Navigates to the previous, next, or current week, or to the week of a chosen date. */
export function WeekSteps(props: { week: Week; onSearch: OnSearch }): ReactNode {
  const { week, onSearch } = props;
  return (
    <Group gap="xs">
      <ActionIcon
        variant="default"
        size="lg"
        aria-label="Previous week"
        onClick={() => onSearch({ date: addDays(week.selected, -7) })}
      >
        <IconChevronLeft size={18} />
      </ActionIcon>
      <Button variant="default" size="sm" px="sm" onClick={() => onSearch({ date: undefined })}>
        This week
      </Button>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label="Next week"
        onClick={() => onSearch({ date: addDays(week.selected, 7) })}
      >
        <IconChevronRight size={18} />
      </ActionIcon>
      <DayField
        aria-label="Go to date"
        w={150}
        min="1900-01-01"
        max="2100-12-31"
        value={week.selected}
        onChoose={(date) => {
          if (date !== '') onSearch({ date });
        }}
      />
      <Text fw={550} ml={4} aria-live="polite">
        {formatSpan(week.monday, week.friday)}
      </Text>
    </Group>
  );
}

/** Selects the day to show on narrow screens. */
export function DayTabs(props: { week: Week; onSearch: OnSearch }): ReactNode {
  const { week, onSearch } = props;
  const days = [0, 1, 2, 3, 4].map((step) => addDays(week.monday, step));
  return (
    <SegmentedControl
      hiddenFrom="sm"
      fullWidth
      aria-label="Day"
      value={week.selected}
      onChange={(date) => onSearch({ date })}
      data={days.map((date) => ({
        value: date,
        label: `${formatWeekday(date)} ${Number(date.slice(-2))}`,
      }))}
    />
  );
}
