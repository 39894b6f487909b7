import type { ReactNode } from 'react';
import type { AuditEvent } from '../api/calls.gen.ts';
import { LIVE_MS, useCall } from '../api/use-call.ts';
import { useSession } from '../session/session.ts';
import { Loaded } from '../ui/page/loaded.tsx';
import { Pager } from '../ui/tables/pager.tsx';
import { AuditList } from './audit-list.tsx';
import { type AuditSearch, toAuditQuery } from './audit-search.ts';

const PAGE = 50;

/** Shows the matching audit events, one page at a time. */
export function AuditLog(props: {
  /** The call that reads the audit log, for the whole service or for one account. */
  call: 'audit-list' | 'system-audit-list';
  search: AuditSearch;
  onChange: (search: AuditSearch) => void;
  accountOf?: (event: AuditEvent) => ReactNode;
}): ReactNode {
  const { call, search, onChange, accountOf } = props;
  const { before, ...first } = search;
  const { personId } = useSession();
  const query = toAuditQuery(search);
  const page = useCall(
    call,
    { query: { limit: PAGE, ...query } },
    { everyMs: LIVE_MS, keepsPrevious: true },
  );
  const next = page.data?.next ?? null;
  return (
    <>
      <Loaded query={page} height={360}>
        {({ events }) => (
          <AuditList
            events={events}
            isFiltered={Object.keys(query).length > 0}
            personId={personId}
            onActor={(actorId) => onChange({ ...first, by: actorId })}
            {...(accountOf === undefined ? {} : { accountOf })}
          />
        )}
      </Loaded>
      <Pager
        onFirst={before === undefined ? null : () => onChange(first)}
        onNext={next === null ? null : () => onChange({ ...first, before: next })}
      />
    </>
  );
}
