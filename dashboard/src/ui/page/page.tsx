import { Box, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTitle } from './use-title.ts';

/** The page layout with a title, lead, actions, and content. */
export function Page(props: {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}): ReactNode {
  const { title, lead, actions, children } = props;
  useTitle(title);
  return (
    <Stack gap="lg" maw={1240} mx="auto" w="100%">
      <Group justify="space-between" align="flex-start" gap="md">
        <Box maw={680} style={{ overflowWrap: 'anywhere' }}>
          <Title order={1} fz={{ base: 24, sm: 28 }} lh={1.2} lts="-0.02em">
            {title}
          </Title>
          {lead !== undefined && (
            <Text c="dimmed" mt={6}>
              {lead}
            </Text>
          )}
        </Box>
        {actions !== undefined && <Group gap="sm">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
