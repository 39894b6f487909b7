import { Alert, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { SubscribeResult } from '../../api/calls.gen.ts';
import { formatCount } from '../../format/number.ts';
import { Mark } from '../../ui/values/mark.tsx';
import styles from './pasted-symbols.module.css';

const SHOWN_MAX = 40;

/** What became, or would become, of symbols that were pasted. */
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
        {unknown.length > 0 && <Mark tone="warn">{formatCount(unknown.length)} not known</Mark>}
        {repeated.length > 0 && <Mark tone="plain">{formatCount(repeated.length)} repeated</Mark>}
        {refused.length > 0 && <Mark tone="bad">{formatCount(refused.length)} left out</Mark>}
      </div>
      {repeated.length > 0 && (
        <Text size="sm" mt="xs">
          These stand in it more than once, and count once: <Words of={repeated} />.
        </Text>
      )}
      {unknown.length > 0 && (
        <Text size="sm" mt="xs">
          No company of these is known yet: <Words of={unknown} />. They are subscribed all the
          same, and told of once there is one.
        </Text>
      )}
      {refused.length > 0 && (
        <Alert color="red" variant="light" mt="xs" p="sm">
          These can be no ticker symbols and are left out: <Words of={refused} />.
        </Alert>
      )}
    </div>
  );
}

function Words({ of: words }: { of: readonly string[] }): ReactNode {
  const rest = words.length - SHOWN_MAX;
  return (
    <>
      <span className={styles['words']}>{words.slice(0, SHOWN_MAX).join(' ')}</span>
      {rest > 0 && ` and ${formatCount(rest)} more`}
    </>
  );
}
