import { useElementSize } from '@mantine/hooks';
import { IconMoon, IconSun, IconSunHigh } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { Bar } from '../api/calls.gen.ts';
import { formatDate } from '../format/day.ts';
import { formatPerShare } from '../format/money.ts';
import { formatSignedPercent } from '../format/number.ts';
import { formatQuarter, SESSION_WORDS } from '../format/session.ts';
import styles from './price-chart.module.css';
import { PriceLines } from './price-lines.tsx';
import { PriceReadout } from './price-readout.tsx';
import { type PriceScale, priceScale } from './price-scale.ts';
import type { ReportMark } from './report-marks.ts';

const HEIGHT = 300;

/** A line chart of closing prices. Reports are marked in the color of their session. */
export function PriceChart(props: {
  bars: readonly Bar[];
  marks: readonly ReportMark[];
  currency: string;
}): ReactNode {
  const { bars, marks, currency } = props;
  const { ref, width } = useElementSize();
  const [active, setActive] = useState<number | null>(null);
  const scale = priceScale(bars, { width, height: HEIGHT });
  return (
    <div>
      <PriceReadout bars={bars} marks={marks} active={active} currency={currency} />
      <div ref={ref} className={styles['chart']} style={{ height: HEIGHT }}>
        {width > 0 && (
          <>
            <svg
              width={width}
              height={HEIGHT}
              role="img"
              aria-label={describeChart(bars, marks, currency)}
              onPointerMove={({ nativeEvent }) => setActive(scale.indexAt(nativeEvent.offsetX))}
              onPointerLeave={() => setActive(null)}
            >
              <PriceLines bars={bars} marks={marks} scale={scale} width={width} height={HEIGHT} />
              {active !== null && <Pointer bars={bars} scale={scale} index={active} />}
            </svg>
            {marks.map((mark) => (
              <ReportMarker
                key={mark.report.id}
                mark={mark}
                bars={bars}
                scale={scale}
                onLook={setActive}
              />
            ))}
          </>
        )}
      </div>
    </div>
  );
}

function Pointer(props: { bars: readonly Bar[]; scale: PriceScale; index: number }): ReactNode {
  const { bars, scale, index } = props;
  const bar = bars[index];
  if (bar === undefined) return null;
  const [x, y] = [scale.x(index), scale.y(bar.close)];
  return (
    <g className={styles['pointer']}>
      <line x1={x} x2={x} y1={0} y2={HEIGHT} />
      <circle cx={x} cy={y} r={4} />
    </g>
  );
}

const ICONS = {
  'time-pre-market': IconSun,
  'time-after-hours': IconMoon,
  'time-during-market': IconSunHigh,
  'time-not-supplied': IconSunHigh,
} as const;

/** A marker for a report on the line. Its readout is shown on hover or focus. */
function ReportMarker(props: {
  mark: ReportMark;
  bars: readonly Bar[];
  scale: PriceScale;
  onLook: (index: number | null) => void;
}): ReactNode {
  const { mark, bars, scale, onLook } = props;
  const { report, index } = mark;
  const Icon = ICONS[report.time];
  return (
    <button
      type="button"
      className={styles['mark']}
      data-session={report.time}
      style={{ left: scale.x(index), top: scale.y(bars[index]?.close ?? 0) }}
      aria-label={describeMark(mark)}
      onPointerEnter={() => onLook(index)}
      onPointerLeave={() => onLook(null)}
      onFocus={() => onLook(index)}
      onBlur={() => onLook(null)}
      onClick={() => onLook(index)}
    >
      <Icon size={12} aria-hidden />
    </button>
  );
}

/** Returns the chart's text alternative. */
function describeChart(
  bars: readonly Bar[],
  marks: readonly ReportMark[],
  currency: string,
): string {
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return 'No prices';
  const change = (last.close / first.close - 1) * 100;
  return (
    `Closing prices from ${formatDate(first.date)}, ${formatPerShare(first.close, currency)}, to ` +
    `${formatDate(last.date)}, ${formatPerShare(last.close, currency)}: ` +
    `${formatSignedPercent(change)}. ${marks.length} reports are marked.`
  );
}

function describeMark({ report, firstMove }: ReportMark): string {
  const move =
    firstMove === null ? '' : `, ${formatSignedPercent(firstMove)} on the first session after`;
  return `${formatQuarter(report)} reported ${formatDate(report.date)}, ${SESSION_WORDS[report.time]}${move}`;
}
