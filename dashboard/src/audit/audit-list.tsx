import { Anchor } from '@mantine/core';
import { IconClipboardList, IconFilterOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Actor, AuditEvent } from '../api/calls.gen.ts';
import { DataTable } from '../ui/tables/data-table.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { LongText } from '../ui/values/long-text.tsx';
import { Mark } from '../ui/values/mark.tsx';
import { Moment } from '../ui/values/moment.tsx';
import { sentenceOf } from './act-sentences.ts';
import { AuditDetails } from './audit-details.tsx';

const KINDS: Readonly<Record<Actor['kind'], string | null>> = {
  person: null,
  key: 'key',
  cli: 'command line',
  system: 'service',
};

/** Acts as sentences: who did what, when, from where. */
export function AuditList(props: {
  events: readonly AuditEvent[];
  /** Whether acts are left out that do not fit. */
  isFiltered?: boolean;
  /** Whose acts are called “you”. */
  personId: string;
  /** Where acts can be narrowed to one actor: told the id. */
  onActor?: (id: string) => void;
  /** Where several accounts are mixed: what names the account of an act. */
  accountOf?: (event: AuditEvent) => ReactNode;
}): ReactNode {
  const { events, isFiltered = false, personId, accountOf, onActor } = props;
  return (
    <DataTable
      caption="Acts, the newest first"
      rows={events}
      keyOf={({ id }) => String(id)}
      empty={isFiltered ? <NoneFits /> : <NoActs />}
      columns={[
        { name: 'When', render: ({ at }) => <Moment at={at} /> },
        {
          name: 'What was done',
          render: ({ by, act, details }) => (
            <LongText isWide lines={4}>
              <ActorName
                of={by}
                isYou={by.kind === 'person' && by.id === personId}
                {...(onActor === undefined ? {} : { onActor })}
              />{' '}
              {sentenceOf(act, details, by.label)}
            </LongText>
          ),
        },
        ...(accountOf === undefined ? [] : [{ name: 'Account', render: accountOf, isExtra: true }]),
        { name: 'From', render: ({ by }) => by.address ?? '–', isExtra: true },
        { name: 'Facts', render: (event) => <AuditDetails of={event} /> },
      ]}
    />
  );
}

function ActorName(props: {
  of: Actor;
  isYou: boolean;
  onActor?: (id: string) => void;
}): ReactNode {
  const { of: actor, isYou, onActor } = props;
  const { id } = actor;
  const kind = isYou ? null : KINDS[actor.kind];
  const name = isYou ? 'You' : actor.label === '' ? 'Somebody' : actor.label;
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
          title="What they did alone"
          onClick={() => onActor(id)}
        >
          {name}
        </Anchor>
      )}
      {kind !== null && (
        <>
          {' '}
          <Mark tone="plain">{kind}</Mark>
        </>
      )}
    </>
  );
}

function NoActs(): ReactNode {
  return (
    <EmptyState icon={<IconClipboardList size={24} />} title="Nothing was done yet">
      Every act that changes something is written down here with who did it: keys that are made or
      revoked, endpoints, people, sign-ins. Secrets are never part of it.
    </EmptyState>
  );
}

function NoneFits(): ReactNode {
  return (
    <EmptyState icon={<IconFilterOff size={24} />} title="No act is like that">
      Look at everything again, or at more days.
    </EmptyState>
  );
}
