import { Button } from '@mantine/core';
import { IconMapQuestion } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EmptyState } from './empty-state.tsx';
import { useTitle } from './use-title.ts';

export function MissingPage(): ReactNode {
  useTitle('No such page');
  return (
    <EmptyState
      isPage
      icon={<IconMapQuestion size={24} />}
      title="There is no such page"
      action={
        <Button component={Link} to="/" variant="default">
          To the overview
        </Button>
      }
    >
      The address may be mistyped, or what it showed is gone.
    </EmptyState>
  );
}
