import { Center, Loader, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** In place of a page on its way, for instance until it is known who asks for it. */
export function PendingPage(): ReactNode {
  return (
    <Center mih="60vh" role="status" aria-label="Loading">
      <Stack align="center" gap="sm">
        <Loader size="sm" />
        <Text c="dimmed" fz="sm">
          Waiting for the service …
        </Text>
      </Stack>
    </Center>
  );
}
