import { Anchor, Center, Stack, Text } from '@mantine/core';
import { createFileRoute, Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { brand } from '../theme/brand.ts';

/** The layout of the sign-in pages, with one centered card. */
export const Route = createFileRoute('/_auth')({ component: AuthLayout });

function AuthLayout(): ReactNode {
  return (
    <Center mih="100dvh" p="md" component="main">
      <Stack w="100%" maw={420} gap="xl">
        <Anchor href="/" c="inherit" underline="never" ta="center">
          <img src="/favicon.svg" alt="" width={44} height={44} />
          <Text fw={650} fz="lg" mt={4}>
            {brand}
          </Text>
        </Anchor>
        <Outlet />
      </Stack>
    </Center>
  );
}
