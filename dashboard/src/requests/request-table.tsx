import { Text, Tooltip } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Key, LoggedRequest } from '../api/calls.gen.ts';
import { formatMs } from '../format/number.ts';
import { formatHere, formatNewYork, zoneHere } from '../format/time.ts';
import { DataTable } from '../ui/tables/data-table.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { Mark, type Tone } from '../ui/values/mark.tsx';
import { RequestId } from './request-id.tsx';
import styles from './request-table.module.css';

const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });

/** The log, the newest first. `since`: requests behind this position came while one looked. */
export function RequestTable(props: {
  requests: readonly LoggedRequest[];
  /** Null while they are on their way. */
  keys: readonly Key[] | null;
  since: number;
  isFiltered: boolean;
}): ReactNode {
  const { requests, keys, since, isFiltered } = props;
  const names = new Map(keys?.map((key) => [key.id, key.name === '' ? `…${key.last4}` : key.name]));
  const unnamed = keys === null ? '…' : 'a key that is gone';
  return (
    <DataTable
      caption="Requests, the newest first"
      rows={requests}
      keyOf={({ position }) => String(position)}
      empty={<NoRequests isFiltered={isFiltered} />}
      columns={[
        {
          name: `Time, ${zoneHere(requests[0]?.at ?? 0)}`,
          render: ({ at }) => <LogTime at={at} />,
        },
        {
          name: 'Status',
          render: ({ status }) => <Mark tone={toneOf(status)}>{status}</Mark>,
        },
        {
          name: 'Request',
          render: ({ method, path, position, durationMs, keyId }) => (
            <div className={position > since ? styles['fresh'] : undefined}>
              <div className={styles['path']}>
                <span className={styles['method']}>{method}</span> {path}
              </div>
              <Text size="xs" c="dimmed" hiddenFrom="sm">
                {formatMs(durationMs)}, {names.get(keyId) ?? unnamed}
              </Text>
            </div>
          ),
        },
        {
          name: 'Took',
          isNumber: true,
          isExtra: true,
          render: ({ durationMs }) => formatMs(durationMs),
        },
        {
          name: 'Key',
          isExtra: true,
          render: ({ keyId }) =>
            names.get(keyId) ?? (
              <Text span c="dimmed">
                {unnamed}
              </Text>
            ),
        },
        {
          name: 'Request id',
          isExtra: true,
          render: ({ requestId }) => <RequestId id={requestId} />,
        },
      ]}
    />
  );
}

/** A log is read by the second, in the viewer’s zone; New York is told on hover and focus. */
function LogTime({ at }: { at: string }): ReactNode {
  return (
    <Tooltip label={sayTime(at)} events={{ hover: true, focus: true, touch: true }}>
      <time dateTime={at} tabIndex={0} className={styles['time']}>
        {clock.format(new Date(at))}
        <Text size="xs" c="dimmed" component="span" display="block">
          {day.format(new Date(at))}
        </Text>
      </time>
    </Tooltip>
  );
}

function sayTime(at: string): ReactNode {
  return (
    <>
      {formatHere(at)}
      <br />
      {formatNewYork(at)}
    </>
  );
}

function toneOf(status: number): Tone {
  if (status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'good';
}

function NoRequests({ isFiltered }: { isFiltered: boolean }): ReactNode {
  return isFiltered ? (
    <EmptyState icon={<IconListDetails size={24} />} title="No request fits">
      None of those that are kept fits these filters.
    </EmptyState>
  ) : (
    <EmptyState icon={<IconListDetails size={24} />} title="No request yet">
      Every request with a key of this account appears here as it is answered, with what it asked,
      how it was answered, and the id to ask about it. The latest are kept for a while.
    </EmptyState>
  );
}
