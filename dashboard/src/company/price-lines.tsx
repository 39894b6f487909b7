import type { ReactNode } from 'react';
import type { Bar } from '../api/calls.gen.ts';
import styles from './price-chart.module.css';
import { type PriceScale, ROOM } from './price-scale.ts';
import type { ReportMark } from './report-marks.ts';

/** Draws the static parts of the chart: price levels, months, closing prices, and report dates. */
export function PriceLines(props: {
  bars: readonly Bar[];
  marks: readonly ReportMark[];
  scale: PriceScale;
  width: number;
  height: number;
}): ReactNode {
  const { bars, marks, scale, width, height } = props;
  const bottom = height - ROOM.bottom;
  const line = bars.map(({ close }, index) => `${scale.x(index)},${scale.y(close)}`).join(' ');
  const last = scale.x(bars.length - 1);
  return (
    <>
      <g className={styles['levels']}>
        {scale.levels.map((level) => (
          <g key={level}>
            <line x1={ROOM.left} x2={width - ROOM.right} y1={scale.y(level)} y2={scale.y(level)} />
            <text x={width - ROOM.right + 8} y={scale.y(level)} dominantBaseline="middle">
              {level}
            </text>
          </g>
        ))}
        {scale.months.map(({ index, label }) => (
          <text key={index} x={scale.x(index)} y={height - 6} textAnchor="middle">
            {label}
          </text>
        ))}
      </g>
      <polygon
        className={styles['area']}
        points={`${scale.x(0)},${bottom} ${line} ${last},${bottom}`}
      />
      {marks.map(({ report, index }) => (
        <line
          key={report.id}
          className={styles['day']}
          data-session={report.time}
          x1={scale.x(index)}
          x2={scale.x(index)}
          y1={scale.y(bars[index]?.close ?? 0)}
          y2={bottom}
        />
      ))}
      <polyline className={styles['line']} points={line} />
    </>
  );
}
