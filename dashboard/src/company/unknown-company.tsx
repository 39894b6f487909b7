import { Button } from '@mantine/core';
import { IconBuildingOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { Page } from '../ui/page/page.tsx';

/** The page for an unknown or renamed symbol. */
export function UnknownCompany(props: { symbol: string; detail: string }): ReactNode {
  return (
    <Page title={props.symbol}>
      <EmptyState
        icon={<IconBuildingOff size={24} />}
        title="Company not found"
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
