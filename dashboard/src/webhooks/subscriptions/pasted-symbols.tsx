import { Alert, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { SubscribeResult } from '../../api/calls.gen.ts';
import { formatCount } from '../../format/number.ts';
import { Mark } from '../../ui/values/mark.tsx';
import styles from './pasted-symbols.module.css';

const SHOWN_MAX = 40;

/** The result or preview of subscribing to pasted symbols. */
export function PastedSymbols(props: { outcome: SubscribeResult; isPreview: boolean }): ReactNode {
  const { outcome, isPreview } = props;
  const { added, standing, unknown, repeated, refused } = outcome;
  return (
    <div role="status">
      <div className={styles['marks']}>
        <Mark tone="good">
          {formatCount(added)} {isPreview ? 'new' : 'subscribed'}
        </Mark>
        <Mark tone="plain">{formatCount(standing)} already subscribed</Mark>
        {unknown.length > 0 && <Mark tone="warn">{formatCount(unknown.length)} unknown</Mark>}
        {repeated.length > 0 && <Mark tone="plain">{formatCount(repeated.length)} repeated</Mark>}
        {refused.length > 0 && <Mark tone="bad">{formatCount(refused.length)} invalid</Mark>}
      </div>
      {repeated.length > 0 && (
        <Text size="sm" mt="xs">
          Duplicates: <Words symbols={repeated} />
        </Text>
      )}
      {unknown.length > 0 && (
        <Text size="sm" mt="xs">
          Unknown symbols: <Words symbols={unknown} />. They are subscribed anyway, and deliveries
          start once the company is listed.
        </Text>
      )}
      {refused.length > 0 && (
        <Alert color="red" variant="light" mt="xs" p="sm">
          Invalid symbols, skipped: <Words symbols={refused} />
        </Alert>
      )}
    </div>
  );
}

function Words({ symbols: words }: { symbols: readonly string[] }): ReactNode {
  const rest = words.length - SHOWN_MAX;
  return (
    <>
      <span className={styles['words']}>{words.slice(0, SHOWN_MAX).join(' ')}</span>
      {rest > 0 && ` and ${formatCount(rest)} more`}
    </>
  );
}
