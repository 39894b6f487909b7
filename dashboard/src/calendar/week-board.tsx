import type { ReactNode } from 'react';
import type { EarningsCalendar, MarketCalendarDay } from '@afterbell/sdk';
import { DayColumn } from './day-column.tsx';
import styles from './week-board.module.css';

/** Shows five days side by side, or only the selected day on narrow screens. */
export function WeekBoard(props: {
  days: readonly EarningsCalendar[];
  market: readonly MarketCalendarDay[];
  today: string;
  chosen: string;
  /** True while the previous week is still shown because the next one is loading. */
  isStale: boolean;
}): ReactNode {
  const { days, market, today, chosen, isStale } = props;
  return (
    <div className={styles['board']} data-stale={isStale} aria-busy={isStale}>
      {days.map((day) => (
        <DayColumn
          key={day.date}
          day={day}
          market={market.find(({ date }) => date === day.date) ?? null}
          isToday={day.date === today}
          isChosen={day.date === chosen}
        />
      ))}
    </div>
  );
}
