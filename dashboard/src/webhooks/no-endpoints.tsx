import { Button, Stack, Text } from '@mantine/core';
import { IconWebhook } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CodeTabs } from '../secret/code-tabs.tsx';
import { RECEIVER_PYTHON, RECEIVER_TYPESCRIPT } from '../secret/samples.ts';
import { EmptyState } from '../ui/page/empty-state.tsx';
import styles from './no-endpoints.module.css';

/** Teaches what a webhook is and what stands at its other end. */
export function NoEndpoints({ onMake }: { onMake: () => void }): ReactNode {
  return (
    <>
      <EmptyState
        icon={<IconWebhook size={24} />}
        title="No endpoint yet"
        action={
          <Button size="sm" mt="sm" onClick={onMake}>
            Add the first endpoint
          </Button>
        }
      >
        A webhook turns the question round: instead of asking again and again whether a report date
        moved or results are out, a program of yours is told by a signed POST, seconds after it is
        known here.
      </EmptyState>
      <Stack className={styles['receiver']} gap="sm">
        <Text fw={600} size="sm">
          A receiver in six lines
        </Text>
        <CodeTabs what="the receiver" typescript={RECEIVER_TYPESCRIPT} python={RECEIVER_PYTHON} />
        <Text size="sm" c="dimmed">
          Put it behind a public https address, add that address here, choose companies and send a
          test. Anything but 2xx is sent again, for about three days. Checking the signature comes
          next; the page of the endpoint has the code.
        </Text>
      </Stack>
    </>
  );
}
