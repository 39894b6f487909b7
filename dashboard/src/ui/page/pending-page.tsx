import { Center, Loader, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Shown while a page or the session loads. */
export function PendingPage(): ReactNode {
  return (
    <Center mih="60vh" role="status" aria-label="Loading">
      <Stack align="center" gap="sm">
        <Loader size="sm" />
        <Text c="dimmed" fz="sm">
          Loading…
        </Text>
      </Stack>
    </Center>
  );
}
