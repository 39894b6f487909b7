import { Button } from '@mantine/core';
import { IconBuildingOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { Page } from '../ui/page/page.tsx';

/** In place of a company that is not known, or that has another symbol now. */
export function UnknownCompany(props: { symbol: string; detail: string }): ReactNode {
  return (
    <Page title={props.symbol}>
      <EmptyState
        icon={<IconBuildingOff size={24} />}
        title="No company has this symbol"
        action={
          <Button component={Link} to="/symbols" variant="default" mt="sm">
            Find a company
          </Button>
        }
      >
        {props.detail}
      </EmptyState>
    </Page>
  );
}
