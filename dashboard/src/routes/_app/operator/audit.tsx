import { Group } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AuditEvent } from '../../../api/calls.gen.ts';
import { AuditLog } from '../../../audit/audit-log.tsx';
import { AuditFilters } from '../../../audit/audit-filters.tsx';
import { readSystemAuditSearch, type SystemAuditSearch } from '../../../audit/audit-search.ts';
import { CustomerLink } from '../../../customers/customer-link.tsx';
import { CustomerSelect } from '../../../customers/customer-select.tsx';
import { CustomerProvider } from '../../../session/customer.ts';
import { Page } from '../../../ui/page/page.tsx';
import { Panel } from '../../../ui/page/panel.tsx';

export const Route = createFileRoute('/_app/operator/audit')({
  validateSearch: readSystemAuditSearch,
  component: Audit,
});

function Audit(): ReactNode {
  const search = Route.useSearch();
  const { customer, before: _, ...filters } = search;
  const navigate = Route.useNavigate();

  function show(next: SystemAuditSearch): void {
    void navigate({ search: next });
  }

  return (
    <Page
      title="Audit log"
      lead="All changes in the whole service, with actor and time. Entries can’t be edited."
    >
      <Group align="flex-end" gap="sm">
        <CustomerSelect
          allLabel="All accounts"
          value={customer}
          onChange={(id) => show({ ...filters, ...(id === undefined ? {} : { customer: id }) })}
        />
        <AuditFilters scope="service" value={search} onChange={show} />
      </Group>
      <Panel isFlush>
        <CustomerProvider value={customer ?? null}>
          {customer === undefined ? (
            <AuditLog
              call="system-audit-list"
              search={search}
              onChange={show}
              accountOf={accountOf}
            />
          ) : (
            <AuditLog call="audit-list" search={search} onChange={show} />
          )}
        </CustomerProvider>
      </Panel>
    </Page>
  );
}

function accountOf({ customerId }: AuditEvent): ReactNode {
  return customerId === null ? 'Service' : <CustomerLink id={customerId} />;
}
