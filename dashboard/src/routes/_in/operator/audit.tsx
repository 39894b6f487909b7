import { Group } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AuditEvent } from '../../../api/calls.gen.ts';
import { LIVE_MS, useCall } from '../../../api/use-call.ts';
import { AuditFilters } from '../../../audit/audit-filters.tsx';
import { AuditList } from '../../../audit/audit-list.tsx';
import { readAuditSearch, toAuditQuery } from '../../../audit/audit-search.ts';
import { CustomerLink } from '../../../customers/customer-link.tsx';
import { CustomerSelect } from '../../../customers/customer-select.tsx';
import { CustomerProvider } from '../../../session/customer.ts';
import { useSession } from '../../../session/session.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { Page } from '../../../ui/page.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { Panel } from '../../../ui/panel.tsx';

const PAGE = 50;

export const Route = createFileRoute('/_in/operator/audit')({
  validateSearch: readAuditSearch,
  component: Audit,
});

function Audit(): ReactNode {
  const search = Route.useSearch();
  const { customer, before: _, ...filters } = search;
  const navigate = Route.useNavigate();
  return (
    <Page
      title="Audit"
      lead="Who changed what in the whole service, and when. It is written in the same step as the change and cannot be edited."
    >
      <Group align="flex-end" gap="sm">
        <CustomerSelect
          all="The whole service"
          value={customer}
          onChange={(id) =>
            void navigate({ search: { ...filters, ...(id === undefined ? {} : { customer: id }) } })
          }
        />
        <AuditFilters value={search} onChange={(next) => void navigate({ search: next })} />
      </Group>
      <Panel isFlush>
        <CustomerProvider value={customer ?? null}>
          <Acts />
        </CustomerProvider>
      </Panel>
    </Page>
  );
}

function Acts(): ReactNode {
  const search = Route.useSearch();
  const { customer, before, ...filters } = search;
  const navigate = Route.useNavigate();
  const { personId } = useSession();
  const page = useCall(
    customer === undefined ? 'system-audit-read' : 'audit-read',
    { query: { limit: PAGE, ...toAuditQuery(search) } },
    { everyMs: LIVE_MS, keepsPrevious: true },
  );
  const next = page.data?.next ?? null;
  const of = { ...filters, ...(customer === undefined ? {} : { customer }) };
  return (
    <>
      <Loaded query={page} height={360}>
        {({ events }) => (
          <AuditList
            events={events}
            personId={personId}
            onActor={(by) => void navigate({ search: { ...of, by } })}
            {...(customer === undefined ? { accountOf } : {})}
          />
        )}
      </Loaded>
      <Pager
        onFirst={before === undefined ? null : () => void navigate({ search: of })}
        onNext={next === null ? null : () => void navigate({ search: { ...of, before: next } })}
      />
    </>
  );
}

function accountOf({ customerId }: AuditEvent): ReactNode {
  return customerId === null ? 'the service' : <CustomerLink id={customerId} />;
}
