import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PeoplePanels } from '../../../people/people-panels.tsx';
import { Page } from '../../../ui/page/page.tsx';

export const Route = createFileRoute('/_in/operator/operators')({ component: Operators });

function Operators(): ReactNode {
  return (
    <Page
      title="Operators"
      lead="Those who run the service: they see and change every account. Two people with a second factor are safer than one; the last one cannot be taken out."
    >
      <PeoplePanels scope="service" canChange />
    </Page>
  );
}
