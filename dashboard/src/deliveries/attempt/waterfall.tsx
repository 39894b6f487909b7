import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DeliveryAttempt } from '../../api/calls.gen.ts';
import { formatMs } from '../../format/number.ts';
import styles from './waterfall.module.css';

interface Part {
  name: string;
  ms: number;
  color: string;
}

/** Shows the timing of an attempt as a waterfall. */
export function Waterfall({ attempt }: { attempt: DeliveryAttempt }): ReactNode {
  const { durationMs } = attempt;
  if (durationMs === null) return null;
  const parts = partsOf(attempt);
  const totalMs = Math.max(1, durationMs);
  const starts = parts.map((_part, index) =>
    parts.slice(0, index).reduce((sum, { ms }) => sum + ms, 0),
  );
  const isReused = attempt.connectMs === null && attempt.firstByteMs !== null;
  return (
    <div>
      <dl className={styles['parts']}>
        {parts.map((part, index) => (
          <div key={part.name} className={styles['part']}>
            <dt>{part.name}</dt>
            <dd className={styles['track']} aria-hidden>
              <svg width="100%" height="10" preserveAspectRatio="none" viewBox="0 0 1000 10">
                <rect
                  x={Math.min(994, ((starts[index] ?? 0) / totalMs) * 1000)}
                  width={Math.max(6, (part.ms / totalMs) * 1000)}
                  height="10"
                  fill={part.color}
                />
              </svg>
            </dd>
            <dd className={styles['ms']}>{formatMs(part.ms)}</dd>
          </div>
        ))}
      </dl>
      <Text size="xs" c="dimmed" mt={6}>
        {formatMs(durationMs)} total{isReused && ', on a reused connection'}
      </Text>
    </div>
  );
}

/**
 * Returns the measured phases in order. The remaining time was spent reading the response or
 * waiting for it.
 */
function partsOf(attempt: DeliveryAttempt): Part[] {
  const { dnsMs, connectMs, tlsMs, firstByteMs, durationMs } = attempt;
  const measured = [
    { name: 'DNS', ms: dnsMs, color: 'var(--chart-2)' },
    { name: 'Connect', ms: connectMs, color: 'var(--chart-5)' },
    { name: 'TLS', ms: tlsMs, color: 'var(--chart-3)' },
    { name: 'First byte', ms: firstByteMs, color: 'var(--chart-1)' },
  ].flatMap(({ ms, ...part }) => (ms === null ? [] : [{ ...part, ms }]));
  const remainingMs = Math.max(
    0,
    (durationMs ?? 0) - measured.reduce((sum, { ms }) => sum + ms, 0),
  );
  const name = firstByteMs === null ? 'No response' : 'Download';
  return remainingMs === 0
    ? measured
    : [...measured, { name, ms: remainingMs, color: 'var(--line-strong)' }];
}
