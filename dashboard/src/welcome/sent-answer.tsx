import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatMs } from '../format/number.ts';
import { Mark } from '../ui/values/mark.tsx';
import type { Sent } from './send-request.ts';
import styles from './sent-answer.module.css';

/** An answer as it came: status, the headers that count, the body. */
export function SentAnswer({ of: sent }: { of: Sent }): ReactNode {
  const isGood = sent.status < 400;
  return (
    <section className={styles['answer']} aria-label="The answer">
      <div className={styles['head']} role="status">
        <Mark tone={isGood ? 'good' : 'bad'}>{sent.status}</Mark>
        <Text size="sm">
          {isGood ? 'Answered' : 'Refused'} in {formatMs(sent.durationMs)}
        </Text>
      </div>
      <dl className={styles['headers']}>
        {sent.headers.map(([name, value]) => [
          <dt key={name}>{name}</dt>,
          <dd key={`${name} value`}>{value}</dd>,
        ])}
      </dl>
      <pre className={styles['body']} tabIndex={0} aria-label="Body of the answer">
        {sent.text}
      </pre>
    </section>
  );
}
