import { Button } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { IconPlugConnectedX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { sayProblem } from '../../api/problem.ts';
import { EmptyState } from './empty-state.tsx';
import { useTitle } from './use-title.ts';

/** In place of a page that could not be shown. */
export function FailedPage({ error, reset }: ErrorComponentProps): ReactNode {
  const router = useRouter();
  useTitle('Not shown');
  return (
    <EmptyState
      isPage
      icon={<IconPlugConnectedX size={24} />}
      title="This page could not be shown"
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
      {sayProblem(error)}
    </EmptyState>
  );
}
