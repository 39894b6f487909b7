import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { AuditLog } from '../../../audit/audit-log.tsx';
import { AuditFilters } from '../../../audit/audit-filters.tsx';
import { type AuditSearch, readAuditSearch } from '../../../audit/audit-search.ts';
import { useIsOwner } from '../../../session/use-is-owner.ts';
import { OwnersOnly } from '../../../ui/page/owners-only.tsx';
import { Page } from '../../../ui/page/page.tsx';
import { Panel } from '../../../ui/page/panel.tsx';

export const Route = createFileRoute('/_app/_account/audit')({
  validateSearch: readAuditSearch,
  component: Audit,
});

function Audit(): ReactNode {
  const isOwner = useIsOwner();
  return (
    <Page
      title="Audit log"
      lead="All changes in this account, with actor and time. Entries can’t be edited."
    >
      {isOwner ? (
        <OwnerAuditLog />
      ) : (
        <Panel isFlush>
          <OwnersOnly>Ask an owner on the Team page for access.</OwnersOnly>
        </Panel>
      )}
    </Page>
  );
}

function OwnerAuditLog(): ReactNode {
  const search = Route.useSearch();
  const navigate = Route.useNavigate();

  function show(next: AuditSearch): void {
    void navigate({ search: next });
  }

  return (
    <>
      <AuditFilters scope="account" value={search} onChange={show} />
      <Panel isFlush>
        <AuditLog call="audit-list" search={search} onChange={show} />
      </Panel>
    </>
  );
}
