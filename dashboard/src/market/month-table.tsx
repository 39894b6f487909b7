import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import type { MarketCalendarDay } from '@afterbell/sdk';
import { kindOf, describeDay } from './day-labels.ts';
import { formatLongDate } from './month.ts';
import styles from './month-table.module.css';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** Shows a month by week. Each trading day is a button that opens the override dialog. */
export function MonthTable(props: {
  name: string;
  month: string;
  today: string;
  days: readonly MarketCalendarDay[];
  /** The days with an override by an operator. */
  changed: ReadonlySet<string>;
  onPick: (date: string) => void;
}): ReactNode {
  const { name, days, ...dayContext } = props;
  const weeks = Array.from({ length: Math.ceil(days.length / 7) }, (_none, week) =>
    days.slice(week * 7, week * 7 + 7),
  );
  return (
    <table className={styles['month']} aria-label={name}>
      <thead>
        <tr>
          {WEEKDAYS.map((weekday) => (
            <th key={weekday} scope="col" abbr={weekday}>
              {weekday.slice(0, 3)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]?.date}>
            {week.map((day) => (
              <td key={day.date}>
                <Day day={day} {...dayContext} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Day(props: {
  day: MarketCalendarDay;
  month: string;
  today: string;
  changed: ReadonlySet<string>;
  onPick: (date: string) => void;
}): ReactNode {
  const { day, month, today, changed, onPick } = props;
  const isChanged = changed.has(day.date);
  const dayProps = {
    className: styles['day'],
    'data-kind': kindOf(day),
    'data-away': !day.date.startsWith(month),
    'data-today': day.date === today,
    'data-changed': isChanged,
  };
  const content = (
    <>
      <span className={styles['number']}>{Number(day.date.slice(8))}</span>
      <span className={styles['words']}>{shortLabel(day, isChanged)}</span>
    </>
  );
  if (!day.isTradingDay) return <div {...dayProps}>{content}</div>;
  return (
    <button
      type="button"
      {...dayProps}
      aria-current={day.date === today ? 'date' : undefined}
      onClick={() => onPick(day.date)}
    >
      {content}
      <VisuallyHidden>
        {formatLongDate(day.date)}: {describeDay(day)}
        {isChanged ? ', overridden' : ''}
      </VisuallyHidden>
    </button>
  );
}

function shortLabel(day: MarketCalendarDay, isChanged: boolean): string {
  switch (kindOf(day)) {
    case 'weekend':
      return '';
    case 'closed':
      return day.reason ?? 'Closed';
    case 'short':
      return `${day.open}–${day.close}`;
    case 'open':
      return isChanged ? `${day.open}–${day.close}` : '';
  }
}
