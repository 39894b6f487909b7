import type { ReactNode } from 'react';
import { SymbolLink } from '../ui/values/symbol-link.tsx';
import styles from './company-rows.module.css';

export interface CompanyRow {
  symbol: string;
  name: string | null;
  figure: ReactNode;
}

/** Lists companies, each with one figure. */
export function CompanyRows({ rows }: { rows: readonly CompanyRow[] }): ReactNode {
  return (
    <ul className={styles['list']}>
      {rows.map(({ symbol, name, figure }) => (
        <li key={symbol} className={styles['row']}>
          <span className={styles['company']}>
            <SymbolLink symbol={symbol} />
            <span className={styles['name']}>{name}</span>
          </span>
          <span className={styles['figure']}>{figure}</span>
        </li>
      ))}
    </ul>
  );
}
