import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { LIVE_MS, useCall } from '../../../api/use-call.ts';
import { AuditList } from '../../../audit/audit-list.tsx';
import { useSession } from '../../../session/session.ts';
import { useIsOwner } from '../../../session/use-is-owner.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { OwnersOnly } from '../../../ui/owners-only.tsx';
import { Page } from '../../../ui/page.tsx';
import { Pager } from '../../../ui/pager.tsx';
import { Panel } from '../../../ui/panel.tsx';

const PAGE = 50;

interface AuditSearch {
  /** The page behind this event. */
  before?: number;
}

export const Route = createFileRoute('/_in/_account/audit')({
  validateSearch: ({ before }: Record<string, unknown>): AuditSearch =>
    typeof before === 'number' && Number.isSafeInteger(before) && before > 0 ? { before } : {},
  component: Audit,
});

function Audit(): ReactNode {
  const isOwner = useIsOwner();
  return (
    <Page
      title="Audit"
      lead="Who changed what in this account, and when. It is written in the same step as the change and cannot be edited."
    >
      <Panel isFlush>
        {isOwner ? (
          <Acts />
        ) : (
          <OwnersOnly>Ask one of them (see Team) when you need to know who did what.</OwnersOnly>
        )}
      </Panel>
    </Page>
  );
}

function Acts(): ReactNode {
  const { before } = Route.useSearch();
  const navigate = Route.useNavigate();
  const { personId } = useSession();
  const page = useCall(
    'audit-read',
    { query: { limit: PAGE, ...(before === undefined ? {} : { before }) } },
    { everyMs: LIVE_MS, keepsPrevious: true },
  );
  const next = page.data?.next ?? null;
  return (
    <>
      <Loaded query={page} height={360}>
        {({ events }) => <AuditList events={events} personId={personId} />}
      </Loaded>
      <Pager
        onFirst={before === undefined ? null : () => void navigate({ search: {} })}
        onNext={next === null ? null : () => void navigate({ search: { before: next } })}
      />
    </>
  );
}
