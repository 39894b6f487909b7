import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PeoplePanels } from '../../../people/people-panels.tsx';
import { useIsOwner } from '../../../session/use-is-owner.ts';
import { Page } from '../../../ui/page/page.tsx';

export const Route = createFileRoute('/_in/_account/team')({ component: Team });

function Team(): ReactNode {
  const isOwner = useIsOwner();
  return (
    <Page
      title="Team"
      lead={
        isOwner
          ? 'Who may come into this account. Owners do everything; members see no secrets and change no people.'
          : 'Who may come into this account. Owners can change it.'
      }
    >
      <PeoplePanels scope="account" canChange={isOwner} />
    </Page>
  );
}
