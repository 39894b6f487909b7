import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { BodyView } from './body-view.tsx';
import styles from './http-message.module.css';

/** A request or an answer: its first line, headers and body. */
export function HttpMessage(props: {
  /** `request` or `answer`, as in “the body of the request”. */
  what: string;
  line: string;
  headers: readonly (readonly [string, string])[] | null;
  body: string | null;
  /** Below, for instance that there was more. */
  note?: ReactNode;
}): ReactNode {
  const { what, line, headers, body, note } = props;
  return (
    <Stack gap="sm" miw={0}>
      <section className={styles['head']} tabIndex={0} aria-label={`Headers of the ${what}`}>
        <div className={styles['line']}>{line}</div>
        {headers?.map(([name, value], at) => (
          <div key={`${name} ${at}`} className={styles['header']}>
            <span className={styles['name']}>{name}:</span> {value}
          </div>
        ))}
      </section>
      {body !== null && <BodyView text={body} what={`the body of the ${what}`} />}
      {note !== undefined && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </Stack>
  );
}
