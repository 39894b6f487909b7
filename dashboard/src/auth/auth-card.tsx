import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Panel } from '../ui/page/panel.tsx';
import { useTitle } from '../ui/page/use-title.ts';

export function AuthCard(props: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}): ReactNode {
  const { title, lead, children } = props;
  useTitle(title);
  return (
    <Panel>
      <Stack gap="md" p="xs">
        <div>
          <Title order={1} fz={22}>
            {title}
          </Title>
          {lead !== undefined && (
            <Text c="dimmed" size="sm" mt={4} component="div">
              {lead}
            </Text>
          )}
        </div>
        {children}
      </Stack>
    </Panel>
  );
}
