import type { ReactNode } from 'react';
import type { IngestRun } from '../api/calls.gen.ts';
import { formatCount } from '../format/number.ts';
import styles from './rows-bar.module.css';

/** The row counts of a response as a bar and as figures. */
export function RowsBar({ run }: { run: IngestRun }): ReactNode {
  const parts = partsOf(run).filter(({ count }) => count > 0);
  if (parts.length === 0) return <span className={styles['none']}>No rows</span>;
  return (
    <div className={styles['rows']}>
      <span className={styles['bar']} aria-hidden>
        {parts.map(({ kind, count }) => (
          <span key={kind} data-kind={kind} style={{ flexGrow: count }} />
        ))}
      </span>
      <ul className={styles['figures']} aria-label={`${formatCount(run.rowsSeen)} rows`}>
        {parts.map(({ kind, count, text }) => (
          <li key={kind} data-kind={kind}>
            {formatCount(count)} {text}
          </li>
        ))}
      </ul>
    </div>
  );
}

function partsOf(run: IngestRun): readonly { kind: string; count: number; text: string }[] {
  return [
    { kind: 'new', count: run.rowsNew, text: 'new' },
    { kind: 'changed', count: run.rowsChanged, text: 'changed' },
    { kind: 'same', count: run.rowsSame, text: 'unchanged' },
    { kind: 'quarantined', count: run.rowsQuarantined, text: 'quarantined' },
  ];
}
