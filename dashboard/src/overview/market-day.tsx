import type { ReactNode } from 'react';
import type { MarketStatusDay } from '../api/reads.gen.ts';
import { formatNewYorkTime } from '../format/time.ts';
import { minutesOf, shareOf } from './day-clock.ts';
import styles from './market-day.module.css';

/** The trading day as a bar from pre-market to after-hours, with the current time. */
export function MarketDay({ day, at }: { day: MarketStatusDay; at: string }): ReactNode {
  const { preMarketOpen, open, close, afterHoursClose } = day;
  if (preMarketOpen === null || open === null || close === null || afterHoursClose === null) {
    return null;
  }
  const hours = [preMarketOpen, open, close, afterHoursClose];
  const [begin = 0, opens = 0, closes = 0, end = 0] = hours.map(minutesOf);
  const now = formatNewYorkTime(at);
  const span = { from: preMarketOpen, to: afterHoursClose };
  const share = shareOf(now, span);
  return (
    <div>
      <div
        className={styles['day']}
        role="img"
        aria-label={`In New York: pre-market from ${hours[0]}, open from ${hours[1]} to ${hours[2]}, after hours until ${hours[3]}. It is ${now}.`}
      >
        <span className={styles['part']} data-part="dawn" style={{ flexGrow: opens - begin }} />
        <span className={styles['part']} data-part="day" style={{ flexGrow: closes - opens }} />
        <span className={styles['part']} data-part="dusk" style={{ flexGrow: end - closes }} />
        {share !== null && <span className={styles['now']} style={{ left: `${share * 100}%` }} />}
      </div>
      <div className={styles['hours']} aria-hidden>
        {hours.map((hour) => (
          <span key={hour} style={{ left: `${(shareOf(hour, span) ?? 0) * 100}%` }}>
            {hour}
          </span>
        ))}
      </div>
    </div>
  );
}
