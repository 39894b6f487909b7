import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { BodyView } from './body-view.tsx';
import styles from './http-message.module.css';

/** An HTTP request or response: start line, headers and body. */
export function HttpMessage(props: {
  /** `request` or `response`, as in “request body”. */
  what: string;
  startLine: string;
  headers: readonly (readonly [string, string])[] | null;
  body: string | null;
  /** A note below the body, for example that it is truncated. */
  note?: ReactNode;
}): ReactNode {
  const { what, startLine, headers, body, note } = props;
  return (
    <Stack gap="sm" miw={0}>
      <section className={styles['head']} tabIndex={0} aria-label={`${what} headers`}>
        <div className={styles['line']}>{startLine}</div>
        {headers?.map(([name, value], index) => (
          <div key={`${name} ${index}`} className={styles['header']}>
            <span className={styles['name']}>{name}:</span> {value}
          </div>
        ))}
      </section>
      {body !== null && <BodyView text={body} what={`${what} body`} />}
      {note !== undefined && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </Stack>
  );
}
