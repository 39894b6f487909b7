import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Quota } from '../api/calls.gen.ts';
import { formatCount, formatShare } from '../format/number.ts';
import { formatNewYork } from '../format/time.ts';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { useNow } from '../ui/values/use-now.ts';
import { type Pace, paceOf } from './pace.ts';
import styles from './quota-meter.module.css';

const NAMES = { day: 'Today', month: 'This month' } as const;

/**
 * Shows the usage of a daily or monthly quota, with its projection (hatched) and even usage (line).
 */
export function QuotaMeter({ quota }: { quota: Quota }): ReactNode {
  const pace = paceOf(quota, useNow());
  const { used, limit, window, resetAt } = quota;
  const remaining = Math.max(0, limit - used);
  return (
    <div className={styles['meter']} data-tone={toneOf(quota, pace)}>
      <div className={styles['head']}>
        <Text size="sm" fw={600}>
          {NAMES[window]}
        </Text>
        <Text size="sm" className="figure">
          <b>{formatCount(used)}</b> of {formatCount(limit)} used, {formatCount(remaining)}{' '}
          remaining
        </Text>
      </div>
      <div
        className={styles['track']}
        role="img"
        aria-label={`${NAMES[window]}: ${formatCount(used)} of ${formatCount(limit)} requests used, ${formatShare(pace.usedShare)}. ${describePace(quota, pace)}`}
      >
        {pace.expected !== null && (
          <span className={styles['expected']} style={{ width: widthOf(pace.expected / limit) }} />
        )}
        <span className={styles['used']} style={{ width: widthOf(pace.usedShare) }} />
        <span className={styles['even']} style={{ left: widthOf(pace.elapsedShare) }} />
      </div>
      <div className={styles['head']}>
        <Text size="xs" c="dimmed">
          {describePace(quota, pace)}
        </Text>
        <Text size="xs" c="dimmed">
          Resets <RelativeTime at={resetAt} />, {formatNewYork(resetAt)}
        </Text>
      </div>
    </div>
  );
}

function toneOf({ used, limit }: Quota, { fullAt, usedShare }: Pace): 'good' | 'warn' | 'bad' {
  if (used >= limit) return 'bad';
  return fullAt !== null || usedShare >= 0.8 ? 'warn' : 'good';
}

function widthOf(share: number): string {
  return `${Math.min(1, Math.max(0, share)) * 100}%`;
}

function describePace({ used, limit, window }: Quota, { expected, fullAt }: Pace): string {
  if (used >= limit) return 'Exceeded: requests are rejected until it resets.';
  if (expected === null) return `No projection yet for this ${window}.`;
  if (fullAt !== null) {
    return `Runs out at the current rate on ${formatNewYork(new Date(fullAt).toISOString())}.`;
  }
  return `Projected: ${formatCount(expected)} at the end of the ${window}.`;
}
