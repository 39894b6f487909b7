import { Alert, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { IconSend } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { errorMessage } from '../api/problem.ts';
import { newYorkDate } from '../format/time.ts';
import { CopyText } from '../ui/controls/copy-text.tsx';
import { useNow } from '../ui/values/use-now.ts';
import { sendRequest, type ApiResponse } from './send-request.ts';
import { formatMs } from '../format/number.ts';
import { StatusBadge } from '../ui/values/status-badge.tsx';
import styles from './response-view.module.css';

/** Shows the first request as a curl command and can also send it from the page. */
export function RequestStep(props: { apiKey: string; onSuccess: () => void }): ReactNode {
  const { apiKey, onSuccess } = props;
  const today = newYorkDate(new Date(useNow()));
  const [path, setPath] = useState('/v1/market-status');
  const send = useMutation({
    mutationFn: () => sendRequest(path, apiKey),
    onSuccess: ({ status }) => {
      if (status < 400) onSuccess();
    },
  });
  return (
    <Stack gap="md">
      <SegmentedControl
        aria-label="Request"
        value={path}
        onChange={(next) => {
          setPath(next);
          send.reset();
        }}
        data={[
          { value: '/v1/market-status', label: 'Market status' },
          { value: `/v1/calendar/earnings?date=${today}`, label: 'Earnings today' },
        ]}
        w="fit-content"
        maw="100%"
      />
      <CopyText
        text={`curl '${window.location.origin}${path}' \\\n  -H 'X-Api-Key: ${apiKey}'`}
        what="command"
        isBlock
      />
      <Group>
        <Button
          leftSection={<IconSend size={16} aria-hidden />}
          loading={send.isPending}
          onClick={() => send.mutate()}
        >
          Send request
        </Button>
      </Group>
      {send.error !== null && (
        <Alert color="red" variant="light" title="No response" role="alert">
          {errorMessage(send.error)}
        </Alert>
      )}
      {send.data !== undefined && <ResponseView response={send.data} />}
    </Stack>
  );
}

/** Shows a response with its status, selected headers, and body. */
function ResponseView({ response }: { response: ApiResponse }): ReactNode {
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
