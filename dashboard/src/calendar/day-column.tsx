import { IconMoon, IconSun, IconSunHigh } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { EarningsCalendar, EarningsRow, MarketCalendarDay } from '@afterbell/sdk';
import { formatWeekday, formatWholeDay } from '../format/day.ts';
import { StatusBadge } from '../ui/values/status-badge.tsx';
import { ReportChip } from './report-chip.tsx';
import { BANDS, reportsOf } from './reports.ts';
import styles from './week-board.module.css';

/**
 * The number of companies shown per session, largest first. The list for the whole day shows all of
 * them.
 */
const SHOWN_MAX = 8;

const ICONS = { pre: IconSun, after: IconMoon, notSupplied: IconSunHigh } as const;

/** Shows the reports for one day of the week, grouped by session. */
export function DayColumn(props: {
  day: EarningsCalendar;
  market: MarketCalendarDay | null;
  isToday: boolean;
  isChosen: boolean;
}): ReactNode {
  const { day, market, isToday, isChosen } = props;
  return (
    <section
      className={styles['day']}
      data-today={isToday}
      data-chosen={isChosen}
      data-closed={!day.isTradingDay}
      aria-label={formatWholeDay(day.date)}
    >
      <header className={styles['head']}>
        <h2 className={styles['date']}>
          {formatWeekday(day.date)}{' '}
          <span className={styles['number']}>{Number(day.date.slice(-2))}</span>
          {isToday && ' · Today'}
        </h2>
        <Count day={day} />
        <MarketException day={market} />
      </header>
      {BANDS.map(({ name, title }) => (
        <Band key={name} name={name} title={title} date={day.date} reports={day[name]} />
      ))}
    </section>
  );
}

function Count({ day }: { day: EarningsCalendar }): ReactNode {
  const count = reportsOf(day).length;
  if (count === 0) return <span className={styles['count']}>No reports</span>;
  return (
    <Link
      to="/calendar"
      search={(search) => ({ ...search, day: day.date })}
      className={styles['count']}
      aria-label={`${countLabel(count)} on ${formatWholeDay(day.date)}, as a list`}
    >
      {countLabel(count)}
    </Link>
  );
}

/** Shows a market holiday or shortened session. */
function MarketException({ day }: { day: MarketCalendarDay | null }): ReactNode {
  if (day === null || day.status === 'open') return null;
  return (
    <span className={styles['special']}>
      {day.status === 'closed' ? (
        <StatusBadge tone="plain">Closed{day.reason === null ? '' : `: ${day.reason}`}</StatusBadge>
      ) : (
        <StatusBadge tone="warn">Closes {day.close}</StatusBadge>
      )}
    </span>
  );
}

function Band(props: {
  name: (typeof BANDS)[number]['name'];
  title: string;
  date: string;
  reports: readonly EarningsRow[];
}): ReactNode {
  const { name, title, date, reports } = props;
  const Icon = ICONS[name];
  const more = reports.length - SHOWN_MAX;
  return (
    <div className={styles['band']} data-band={name}>
      <h3 className={styles['title']}>
        <Icon size={13} aria-hidden /> {title}
        {reports.length > 0 && ` · ${reports.length}`}
      </h3>
      {reports.length === 0 ? (
        <span className={styles['count']}>None</span>
      ) : (
        <ul className={styles['chips']}>
          {reports.slice(0, SHOWN_MAX).map((report) => (
            <li key={report.id}>
              <ReportChip report={report} />
            </li>
          ))}
        </ul>
      )}
      {more > 0 && (
        <Link
          to="/calendar"
          search={(search) => ({ ...search, day: date })}
          className={styles['more']}
        >
          {more} more
        </Link>
      )}
    </div>
  );
}

function countLabel(count: number): string {
  return count === 1 ? '1 report' : `${count} reports`;
}
