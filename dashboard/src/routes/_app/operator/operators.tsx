import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PeoplePanels } from '../../../people/people-panels.tsx';
import { Page } from '../../../ui/page/page.tsx';

export const Route = createFileRoute('/_app/operator/operators')({ component: Operators });

function Operators(): ReactNode {
  return (
    <Page
      title="Operators"
      lead="Operators can view and change every account. We recommend at least two operators with two-factor authentication. The last one can’t be removed."
    >
      <PeoplePanels scope="service" canChange />
    </Page>
  );
}
