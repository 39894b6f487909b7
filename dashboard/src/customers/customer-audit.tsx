import type { ReactNode } from 'react';
import { CALM_MS, useCall } from '../api/use-call.ts';
import { AuditList } from '../audit/audit-list.tsx';
import { useCustomerId } from '../session/customer.ts';
import { useSession } from '../session/session.ts';
import { StrongLink } from '../ui/controls/links.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { Panel } from '../ui/page/panel.tsx';

/** Shows the latest audit events in a customer's account. */
export function CustomerAudit(): ReactNode {
  const customer = useCustomerId() ?? '';
  const { personId } = useSession();
  const page = useCall('audit-list', { query: { limit: 6 } }, { everyMs: CALM_MS });
  return (
    <Panel
      title="Recent activity"
      isFlush
      aside={
        <StrongLink to="/operator/audit" search={{ customer }}>
          View all
        </StrongLink>
      }
    >
      <Loaded query={page}>
        {({ events }) => <AuditList events={events} personId={personId} />}
      </Loaded>
    </Panel>
  );
}
