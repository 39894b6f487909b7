import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import styles from './symbol-link.module.css';

/** A symbol that links to the company's page. */
export function SymbolLink({ symbol }: { symbol: string }): ReactNode {
  return (
    <Link to="/symbols/$symbol" params={{ symbol }} className={styles['link']}>
      {symbol}
    </Link>
  );
}
