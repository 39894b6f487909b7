import { Accordion, Alert, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { DeliveryAttempt } from '../../api/calls.gen.ts';
import { formatMs } from '../../format/number.ts';
import { formatHere, formatNewYork } from '../../format/time.ts';
import { Mark } from '../../ui/values/mark.tsx';
import { errorWords, failureOf } from '../error-words.ts';
import { HttpMessage } from './http-message.tsx';
import { Waterfall } from './waterfall.tsx';

/** One attempt: what was sent, what came back, how long each part took, what went wrong. */
export function AttemptCard(props: { of: DeliveryAttempt; url: string | null }): ReactNode {
  const { of: attempt, url } = props;
  const { n, startedAt, durationMs, remoteAddress } = attempt;
  return (
    <Accordion.Item value={String(n)}>
      <Accordion.Control>
        <Group gap="sm">
          <Text fw={600} size="sm">
            Attempt {n}
          </Text>
          <AttemptMark of={attempt} />
          <Text size="sm" c="dimmed">
            {formatHere(startedAt)}
            {durationMs !== null && ` · ${formatMs(durationMs)}`}
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="md">
          <Why of={attempt} />
          <Text size="xs" c="dimmed">
            Sent {formatNewYork(startedAt)}
            {remoteAddress !== null && ` to the address ${remoteAddress}`}.
          </Text>
          <Waterfall of={attempt} />
          <Exchange of={attempt} url={url} />
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

function AttemptMark({ of: attempt }: { of: DeliveryAttempt }): ReactNode {
  const { state, responseStatus } = attempt;
  if (state === 'started') return <Mark tone="plain">under way</Mark>;
  const code = failureOf(attempt);
  if (code === null) return <Mark tone="good">answered {responseStatus}</Mark>;
  const { name } = errorWords(code);
  return <Mark tone="bad">{responseStatus === null ? name : `${responseStatus} ${name}`}</Mark>;
}

function Why({ of: attempt }: { of: DeliveryAttempt }): ReactNode {
  const code = failureOf(attempt);
  if (code === null) return null;
  const { errorDetail } = attempt;
  const { name, why, help } = errorWords(code);
  return (
    <Alert color="red" variant="light" title={name} p="sm">
      <Text size="sm">{why}</Text>
      {errorDetail !== null && <Text size="sm">{errorDetail}</Text>}
      {help !== '' && (
        <Text size="sm" mt={4}>
          <b>What helps:</b> {help}
        </Text>
      )}
    </Alert>
  );
}

function Exchange(props: { of: DeliveryAttempt; url: string | null }): ReactNode {
  const { of: attempt, url } = props;
  const { requestHeaders, requestBody, responseStatus } = attempt;
  return (
    <Accordion variant="contained" multiple defaultValue={['answer']} order={4}>
      <Accordion.Item value="request">
        <Accordion.Control>
          <Text size="sm">The request, as sent and signed</Text>
        </Accordion.Control>
        <Accordion.Panel>
          <HttpMessage
            what="request"
            line={`POST ${url ?? '(the endpoint was taken out)'}`}
            headers={requestHeaders}
            body={requestBody}
            {...(requestHeaders === null
              ? { note: 'Nothing was sent, so there are no headers.' }
              : {})}
          />
        </Accordion.Panel>
      </Accordion.Item>
      {responseStatus !== null && (
        <Accordion.Item value="answer">
          <Accordion.Control>
            <Text size="sm">The answer</Text>
          </Accordion.Control>
          <Accordion.Panel>
            <HttpMessage
              what="answer"
              line={`HTTP/1.1 ${responseStatus}`}
              headers={attempt.responseHeaders}
              body={attempt.responseBody}
              {...(attempt.truncated
                ? { note: 'The answer was longer: its first 16 KiB are kept.' }
                : {})}
            />
          </Accordion.Panel>
        </Accordion.Item>
      )}
    </Accordion>
  );
}
