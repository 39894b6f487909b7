import { Button } from '@mantine/core';
import { IconMapQuestion } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EmptyState } from './empty-state.tsx';
import { useTitle } from './use-title.ts';

export function MissingPage(): ReactNode {
  useTitle('Page not found');
  return (
    <EmptyState
      isPage
      icon={<IconMapQuestion size={24} />}
      title="Page not found"
      action={
        <Button component={Link} to="/" variant="default">
          Go to overview
        </Button>
      }
    >
      The URL may be mistyped, or the page no longer exists.
    </EmptyState>
  );
}
