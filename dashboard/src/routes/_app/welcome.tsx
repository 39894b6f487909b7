import { Button } from '@mantine/core';
import { createFileRoute, Link, redirect } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { OPERATOR_NAV } from '../../shell/nav.ts';
import { Shell } from '../../shell/shell.tsx';
import { brand } from '../../theme/brand.ts';
import { Page } from '../../ui/page/page.tsx';
import { Onboarding } from '../../welcome/onboarding.tsx';

export const Route = createFileRoute('/_app/welcome')({
  beforeLoad({ context }) {
    if (context.person.role !== 'operator') throw redirect({ to: '/' });
  },
  component: Welcome,
});

function Welcome(): ReactNode {
  return (
    <Shell groups={OPERATOR_NAV} home="/operator">
      <Page
        title={`Welcome to ${brand}`}
        lead="Three steps to your first request."
        actions={
          <Button component={Link} to="/operator" variant="default">
            Skip to console
          </Button>
        }
      >
        <Onboarding asksAccount />
      </Page>
    </Shell>
  );
}
