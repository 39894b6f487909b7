import { Accordion, Alert, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DeliveryAttempt } from '../../api/calls.gen.ts';
import { formatMs } from '../../format/number.ts';
import { formatHere, formatNewYork } from '../../format/time.ts';
import { StatusBadge } from '../../ui/values/status-badge.tsx';
import { describeError, attemptError } from '../delivery-errors.ts';
import { Waterfall } from './waterfall.tsx';
import { BodyView } from './body-view.tsx';
import styles from './http-message.module.css';

/** Shows an attempt with its request, response, timing, and error. */
export function AttemptCard(props: { attempt: DeliveryAttempt; url: string | null }): ReactNode {
  const { attempt, url } = props;
  const { n, startedAt, durationMs, remoteAddress } = attempt;
  return (
    <Accordion.Item value={String(n)}>
      <Accordion.Control>
        <Group gap="sm">
          <Text fw={600} size="sm">
            Attempt {n}
          </Text>
          <AttemptStatus attempt={attempt} />
          <Text size="sm" c="dimmed">
            {formatHere(startedAt)}
            {durationMs !== null && ` · ${formatMs(durationMs)}`}
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="md">
          <ErrorNotice attempt={attempt} />
          <Text size="xs" c="dimmed">
            Sent at {formatNewYork(startedAt)} {remoteAddress !== null && ` to ${remoteAddress}`}.
          </Text>
          <Waterfall attempt={attempt} />
          <Exchange attempt={attempt} url={url} />
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

function AttemptStatus({ attempt }: { attempt: DeliveryAttempt }): ReactNode {
  const { state, responseStatus } = attempt;
  if (state === 'started') return <StatusBadge tone="plain">in progress</StatusBadge>;
  const code = attemptError(attempt);
  if (code === null) return <StatusBadge tone="good">HTTP {responseStatus}</StatusBadge>;
  const { name } = describeError(code);
  return (
    <StatusBadge tone="bad">
      {responseStatus === null ? name : `${responseStatus} ${name}`}
    </StatusBadge>
  );
}

function ErrorNotice({ attempt }: { attempt: DeliveryAttempt }): ReactNode {
  const code = attemptError(attempt);
  if (code === null) return null;
  const { errorDetail } = attempt;
  const { name, explanation, help } = describeError(code);
  return (
    <Alert color="red" variant="light" title={name} p="sm">
      <Text size="sm">{explanation}</Text>
      {errorDetail !== null && <Text size="sm">{errorDetail}</Text>}
      {help !== '' && (
        <Text size="sm" mt={4}>
          <b>How to fix:</b> {help}
        </Text>
      )}
    </Alert>
  );
}

function Exchange(props: { attempt: DeliveryAttempt; url: string | null }): ReactNode {
  const { attempt, url } = props;
  const { requestHeaders, requestBody, responseStatus } = attempt;
  return (
    <Accordion variant="contained" multiple defaultValue={['response']} order={4}>
      <Accordion.Item value="request">
        <Accordion.Control>
          <Text size="sm">Signed request</Text>
        </Accordion.Control>
        <Accordion.Panel>
          <HttpMessage
            what="request"
            startLine={`POST ${url ?? '(endpoint deleted)'}`}
            headers={requestHeaders}
            body={requestBody}
            {...(requestHeaders === null ? { note: 'No request was sent.' } : {})}
          />
        </Accordion.Panel>
      </Accordion.Item>
      {responseStatus !== null && (
        <Accordion.Item value="response">
          <Accordion.Control>
            <Text size="sm">Response</Text>
          </Accordion.Control>
          <Accordion.Panel>
            <HttpMessage
              what="response"
              startLine={`HTTP/1.1 ${responseStatus}`}
              headers={attempt.responseHeaders}
              body={attempt.responseBody}
              {...(attempt.truncated ? { note: 'Truncated to the first 16 KiB.' } : {})}
            />
          </Accordion.Panel>
        </Accordion.Item>
      )}
    </Accordion>
  );
}

/** Shows an HTTP request or response: its start line, headers, and body. */
function HttpMessage(props: {
  /** `request` or `response`, used in labels such as “request body”. */
  what: string;
  startLine: string;
  headers: readonly (readonly [string, string])[] | null;
  body: string | null;
  /** A note below the body, for example that the body is truncated. */
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
