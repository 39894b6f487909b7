import type { ReactNode } from 'react';
import type { EarningsCalendar, MarketCalendarDay } from '../api/reads.gen.ts';
import { DayColumn } from './day-column.tsx';
import styles from './week-board.module.css';

/** Five days side by side; narrow screens show the selected one. */
export function WeekBoard(props: {
  days: readonly EarningsCalendar[];
  market: readonly MarketCalendarDay[];
  today: string;
  chosen: string;
  /** Shows the previous week while the next one loads. */
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
