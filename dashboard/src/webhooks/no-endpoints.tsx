import { Button, Stack, Text } from '@mantine/core';
import { IconWebhook } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CodeTabs } from '../secret/code-tabs.tsx';
import { RECEIVER_PYTHON, RECEIVER_TYPESCRIPT } from '../secret/samples.ts';
import { EmptyState } from '../ui/page/empty-state.tsx';
import styles from './no-endpoints.module.css';

/** Shown when the endpoint list is empty, with a sample receiver. */
export function NoEndpoints({ onCreate }: { onCreate: () => void }): ReactNode {
  return (
    <>
      <EmptyState
        icon={<IconWebhook size={24} />}
        title="No endpoints yet"
        action={
          <Button size="sm" mt="sm" onClick={onCreate}>
            Add endpoint
          </Button>
        }
      >
        Instead of polling for changed report dates and results, receive a signed POST request
        within seconds of a change.
      </EmptyState>
      <Stack className={styles['receiver']} gap="sm">
        <Text fw={600} size="sm">
          Sample receiver
        </Text>
        <CodeTabs what="receiver" typescript={RECEIVER_TYPESCRIPT} python={RECEIVER_PYTHON} />
        <Text size="sm" c="dimmed">
          Deploy it at a public HTTPS URL, add the URL here, subscribe to companies and send a test.
          Deliveries without a 2xx response are retried for about three days. To verify signatures,
          see the endpoint’s Verify tab.
        </Text>
      </Stack>
    </>
  );
}
