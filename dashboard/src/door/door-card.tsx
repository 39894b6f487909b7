import { Stack, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { brand } from '../theme/brand.ts';
import { Panel } from '../ui/panel.tsx';

export function DoorCard(props: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}): ReactNode {
  const { title, lead, children } = props;
  useEffect(() => {
    document.title = `${title} · ${brand}`;
  }, [title]);
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
