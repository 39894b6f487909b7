import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatMs } from '../format/number.ts';
import { StatusBadge } from '../ui/values/status-badge.tsx';
import type { ApiResponse } from './send-request.ts';
import styles from './response-view.module.css';

/** A response with status, selected headers and body. */
export function ResponseView({ response }: { response: ApiResponse }): ReactNode {
  const isGood = response.status < 400;
  return (
    <section className={styles['answer']} aria-label="Response">
      <div className={styles['head']} role="status">
        <StatusBadge tone={isGood ? 'good' : 'bad'}>{response.status}</StatusBadge>
        <Text size="sm">
          {isGood ? 'Success' : 'Failed'} in {formatMs(response.durationMs)}
        </Text>
      </div>
      <dl className={styles['headers']}>
        {response.headers.map(([name, value]) => [
          <dt key={name}>{name}</dt>,
          <dd key={`${name} value`}>{value}</dd>,
        ])}
      </dl>
      <pre className={styles['body']} tabIndex={0} aria-label="Response body">
        {response.text}
      </pre>
    </section>
  );
}
