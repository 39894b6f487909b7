import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import styles from './symbol-link.module.css';

/** A company's symbol; leads to its page. */
export function SymbolLink({ symbol }: { symbol: string }): ReactNode {
  return (
    <Link to="/symbols/$symbol" params={{ symbol }} className={styles['link']}>
      {symbol}
    </Link>
  );
}
