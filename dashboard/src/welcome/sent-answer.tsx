import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatMs } from '../format/number.ts';
import { Mark } from '../ui/values/mark.tsx';
import type { Sent } from './send-request.ts';
import styles from './sent-answer.module.css';

/** A response with status, selected headers and body. */
export function SentAnswer({ response: sent }: { response: Sent }): ReactNode {
  const isGood = sent.status < 400;
  return (
    <section className={styles['answer']} aria-label="Response">
      <div className={styles['head']} role="status">
        <Mark tone={isGood ? 'good' : 'bad'}>{sent.status}</Mark>
        <Text size="sm">
          {isGood ? 'Success' : 'Failed'} in {formatMs(sent.durationMs)}
        </Text>
      </div>
      <dl className={styles['headers']}>
        {sent.headers.map(([name, value]) => [
          <dt key={name}>{name}</dt>,
          <dd key={`${name} value`}>{value}</dd>,
        ])}
      </dl>
      <pre className={styles['body']} tabIndex={0} aria-label="Response body">
        {sent.text}
      </pre>
    </section>
  );
}
