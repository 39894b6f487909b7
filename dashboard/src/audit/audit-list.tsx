import { Anchor } from '@mantine/core';
import { IconClipboardList, IconFilterOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Actor, AuditEvent } from '../api/calls.gen.ts';
import { DataTable } from '../ui/tables/data-table.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { LongText } from '../ui/values/long-text.tsx';
import { StatusBadge } from '../ui/values/status-badge.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { describeAction } from './action-descriptions.ts';
import { AuditDetails } from './audit-details.tsx';

const KINDS: Readonly<Record<Actor['kind'], string | null>> = {
  person: null,
  key: 'key',
  cli: 'command line',
  system: 'service',
};

/** Lists audit events as sentences that say who did what, when, and from where. */
export function AuditList(props: {
  events: readonly AuditEvent[];
  /** True if filters are set, which might hide events. */
  isFiltered?: boolean;
  /** The ID of the user who is shown as “You”. */
  personId: string;
  /** Filters the list by an actor's ID. Omitted where this filter isn't available. */
  onActor?: (id: string) => void;
  /** Renders an event's account in lists that span several accounts. */
  accountOf?: (event: AuditEvent) => ReactNode;
}): ReactNode {
  const { events, isFiltered = false, personId, accountOf, onActor } = props;
  return (
    <DataTable
      caption="Events, newest first"
      rows={events}
      keyOf={({ id }) => String(id)}
      empty={isFiltered ? <NoMatchingEvents /> : <NoEvents />}
      columns={[
        { name: 'When', render: ({ at }) => <RelativeTime at={at} /> },
        {
          name: 'Action',
          render: ({ by, act, details }) => (
            <LongText isWide lines={4}>
              <ActorName
                actor={by}
                isYou={by.kind === 'person' && by.id === personId}
                {...(onActor === undefined ? {} : { onActor })}
              />{' '}
              {describeAction(act, details, by.label)}
            </LongText>
          ),
        },
        ...(accountOf === undefined ? [] : [{ name: 'Account', render: accountOf, isExtra: true }]),
        { name: 'IP address', render: ({ by }) => by.address ?? '–', isExtra: true },
        { name: 'Details', render: (event) => <AuditDetails event={event} /> },
      ]}
    />
  );
}

function ActorName(props: {
  actor: Actor;
  isYou: boolean;
  onActor?: (id: string) => void;
}): ReactNode {
  const { actor, isYou, onActor } = props;
  const { id } = actor;
  const kind = isYou ? null : KINDS[actor.kind];
  const name = isYou ? 'You' : actor.label === '' ? 'Unknown' : actor.label;
  return (
    <>
      {id === null || onActor === undefined ? (
        <b>{name}</b>
      ) : (
        <Anchor
          component="button"
          type="button"
          fw={700}
          c="inherit"
          ta="start"
          title="Show only this actor"
          onClick={() => onActor(id)}
        >
          {name}
        </Anchor>
      )}
      {kind !== null && (
        <>
          {' '}
          <StatusBadge tone="plain">{kind}</StatusBadge>
        </>
      )}
    </>
  );
}

function NoEvents(): ReactNode {
  return (
    <EmptyState icon={<IconClipboardList size={24} />} title="No events yet">
      Every change is recorded here with its actor: API keys, endpoints, members and sign-ins.
      Secrets are never recorded.
    </EmptyState>
  );
}

function NoMatchingEvents(): ReactNode {
  return (
    <EmptyState icon={<IconFilterOff size={24} />} title="No matching events">
      Try fewer filters or a longer time range.
    </EmptyState>
  );
}
