import { Button } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { IconPlugConnectedX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { errorMessage } from '../../api/problem.ts';
import { EmptyState } from './empty-state.tsx';
import { useTitle } from './use-title.ts';

/** Shown when a page fails to load or render. */
export function FailedPage({ error, reset }: ErrorComponentProps): ReactNode {
  const router = useRouter();
  useTitle('Error');
  return (
    <EmptyState
      isPage
      icon={<IconPlugConnectedX size={24} />}
      title="This page couldn’t be loaded"
      action={
        <Button
          variant="default"
          onClick={() => {
            reset();
            void router.invalidate();
          }}
        >
          Try again
        </Button>
      }
    >
      {errorMessage(error)}
    </EmptyState>
  );
}
