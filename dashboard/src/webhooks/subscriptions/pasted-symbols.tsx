import { Alert, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { SubscribeResult } from '../../api/calls.gen.ts';
import { formatCount } from '../../format/number.ts';
import { StatusBadge } from '../../ui/values/status-badge.tsx';
import styles from './pasted-symbols.module.css';

const SHOWN_MAX = 40;

/** Shows the result or preview of subscribing to pasted symbols. */
export function PastedSymbols(props: { outcome: SubscribeResult; isPreview: boolean }): ReactNode {
  const { outcome, isPreview } = props;
  const { added, standing, unknown, repeated, refused } = outcome;
  return (
    <div role="status">
      <div className={styles['marks']}>
        <StatusBadge tone="good">
          {formatCount(added)} {isPreview ? 'new' : 'subscribed'}
        </StatusBadge>
        <StatusBadge tone="plain">{formatCount(standing)} already subscribed</StatusBadge>
        {unknown.length > 0 && (
          <StatusBadge tone="warn">{formatCount(unknown.length)} unknown</StatusBadge>
        )}
        {repeated.length > 0 && (
          <StatusBadge tone="plain">{formatCount(repeated.length)} repeated</StatusBadge>
        )}
        {refused.length > 0 && (
          <StatusBadge tone="bad">{formatCount(refused.length)} invalid</StatusBadge>
        )}
      </div>
      {repeated.length > 0 && (
        <Text size="sm" mt="xs">
          Duplicates: <SymbolList symbols={repeated} />
        </Text>
      )}
      {unknown.length > 0 && (
        <Text size="sm" mt="xs">
          Unknown symbols: <SymbolList symbols={unknown} />. They are subscribed anyway, and
          deliveries start once the company is listed.
        </Text>
      )}
      {refused.length > 0 && (
        <Alert color="red" variant="light" mt="xs" p="sm">
          Invalid symbols, skipped: <SymbolList symbols={refused} />
        </Alert>
      )}
    </div>
  );
}

function SymbolList({ symbols }: { symbols: readonly string[] }): ReactNode {
  const hidden = symbols.length - SHOWN_MAX;
  return (
    <>
      <span className={styles['words']}>{symbols.slice(0, SHOWN_MAX).join(' ')}</span>
      {hidden > 0 && ` and ${formatCount(hidden)} more`}
    </>
  );
}
