import { Text, VisuallyHidden } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { UnusualVolume, UnusualVolumeRow } from '@afterbell/sdk';
import { formatDay } from '../format/time.ts';
import { Change } from '../ui/values/change.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { ApiSource } from '../ui/controls/api-source.tsx';
import { CompanyRows } from './company-rows.tsx';
import styles from './company-rows.module.css';

const SHOWN_MAX = 12;

/** Lists stocks with unusual volume, whether their price rose or fell. */
export function VolumePanel({ answer }: { answer: UnusualVolume }): ReactNode {
  const { criteria, date, session } = answer;
  const rows = [...answer.up, ...answer.down].toSorted(
    (a, b) => b.relativeVolume - a.relativeVolume,
  );
  const maximum = rows[0]?.relativeVolume ?? 1;
  return (
    <Panel
      title="Unusual volume"
      aside={
        <Text size="sm" c="dimmed">
          {formatDay(date)}
          {session === 'intraday' && ', in progress'}
        </Text>
      }
    >
      {rows.length === 0 ? (
        <EmptyState icon={<IconChartBar size={24} />} title="No unusual volume">
          No stock traded {criteria.minRelativeVolume}× its average volume over the previous{' '}
          {criteria.lookbackSessions} sessions.
        </EmptyState>
      ) : (
        <CompanyRows
          rows={rows.slice(0, SHOWN_MAX).map((row) => ({
            ...row,
            figure: <Volume row={row} maximum={maximum} />,
          }))}
        />
      )}
      <ApiSource endpoint="unusual-volume" query={{}} />
    </Panel>
  );
}

function Volume(props: { row: UnusualVolumeRow; maximum: number }): ReactNode {
  const { relativeVolume, changePercent } = props.row;
  return (
    <span className={styles['volume']}>
      <span className={styles['track']} aria-hidden>
        <span
          className={styles['bar']}
          style={{ width: `${(relativeVolume / props.maximum) * 100}%` }}
        />
      </span>
      <span className={`${styles['times']} figure`}>
        {relativeVolume.toFixed(1)}×<VisuallyHidden> average volume, </VisuallyHidden>
      </span>
      <span className={styles['change']}>
        <Change percent={changePercent} label="price" />
      </span>
    </span>
  );
}
