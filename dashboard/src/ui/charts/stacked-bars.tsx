import type { ReactNode } from 'react';
import { formatCompact } from '../../format/number.ts';
import { niceTicks } from '../../format/nice-ticks.ts';
import styles from './stacked-bars.module.css';

export interface BarSeries {
  name: string;
  label: string;
  color: string;
}

export interface BarSlot {
  key: string;
  /** The label below the bar, shown if there is enough space. */
  label: string;
  /** The values by series name. Missing values are zero. */
  figures: Readonly<Record<string, number>>;
}

const LABELS_MAX = 8;

/**
 * A stacked bar chart that needs no chart library. It is hidden from screen readers, so callers
 * should also show the figures as text or a table.
 */
export function StackedBars(props: {
  slots: readonly BarSlot[];
  series: readonly BarSeries[];
  height?: number;
}): ReactNode {
  const { slots, series, height = 240 } = props;
  const ticks = niceTicks(Math.max(...slots.map((slot) => sumOf(slot, series))));
  const top = ticks.at(-1) ?? 1;
  const step = Math.ceil(slots.length / LABELS_MAX);
  return (
    <div aria-hidden className={styles['chart']}>
      <div className={styles['plot']} style={{ height }}>
        {ticks.map((tick) => (
          <div key={tick} className={styles['tick']} style={{ bottom: `${(tick / top) * 100}%` }}>
            <span>{formatCompact(tick)}</span>
          </div>
        ))}
        <div className={styles['bars']}>
          {slots.map((slot) => (
            <div key={slot.key} className={styles['slot']}>
              {series.map(({ name, color }) => (
                <div
                  key={name}
                  className={styles['part']}
                  style={{
                    height: `${((slot.figures[name] ?? 0) / top) * 100}%`,
                    background: color,
                  }}
                />
              ))}
            </div>
          ))}
        </div>
      </div>
      <div className={styles['labels']}>
        {slots.map(({ key, label }, index) => {
          const steps = (slots.length - 1 - index) / step;
          return (
            <span key={key} data-second={steps % 2 === 1 || undefined}>
              {Number.isInteger(steps) ? label : ''}
            </span>
          );
        })}
      </div>
      <div className={styles['legend']}>
        {series.map(({ name, label, color }) => (
          <span key={name}>
            <i style={{ background: color }} />
            {label}
          </span>
        ))}
      </div>
    </div>
  );
}

function sumOf({ figures }: BarSlot, series: readonly BarSeries[]): number {
  return series.reduce((sum, { name }) => sum + (figures[name] ?? 0), 0);
}
