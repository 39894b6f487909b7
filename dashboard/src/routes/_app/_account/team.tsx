import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PeoplePanels } from '../../../people/people-panels.tsx';
import { useIsOwner } from '../../../session/use-is-owner.ts';
import { Page } from '../../../ui/page/page.tsx';

export const Route = createFileRoute('/_app/_account/team')({ component: Team });

function Team(): ReactNode {
  const isOwner = useIsOwner();
  return (
    <Page
      title="Team"
      lead={
        isOwner
          ? 'Users with access to this account. Owners have full access. Members can’t view secrets or manage members.'
          : 'Users with access to this account. Only owners can make changes.'
      }
    >
      <PeoplePanels scope="account" canChange={isOwner} />
    </Page>
  );
}
