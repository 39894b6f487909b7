import { Text, Tooltip } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Key, LoggedRequest } from '../api/calls.gen.ts';
import { formatMs } from '../format/number.ts';
import { formatHere, formatNewYork, zoneHere } from '../format/time.ts';
import { DataTable } from '../ui/tables/data-table.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { StatusBadge, type Tone } from '../ui/values/status-badge.tsx';
import styles from './request-table.module.css';
import { CopyIcon } from '../ui/controls/copy-text.tsx';

const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });

interface RequestTableProps {
  requests: readonly LoggedRequest[];
  /** The account's API keys, or null while loading. */
  keys: readonly Key[] | null;
  since: number;
  isFiltered: boolean;
}

/**
 * Lists the logged requests, newest first. Requests with a position after `since` are highlighted
 * as new.
 */
export function RequestTable(props: RequestTableProps): ReactNode {
  const { requests, keys, since, isFiltered } = props;
  const names = new Map(keys?.map((key) => [key.id, key.name === '' ? `…${key.last4}` : key.name]));
  const unnamed = keys === null ? '…' : 'deleted key';
  return (
    <DataTable
      caption="Requests, newest first"
      rows={requests}
      keyOf={({ position }) => String(position)}
      empty={<NoRequests isFiltered={isFiltered} />}
      columns={[
        {
          name: `Time (${zoneHere(requests[0]?.at ?? 0)})`,
          render: ({ at }) => <LogTime at={at} />,
        },
        {
          name: 'Status',
          render: ({ status }) => <StatusBadge tone={toneOf(status)}>{status}</StatusBadge>,
        },
        {
          name: 'Request',
          render: (request) => (
            <RequestCell
              request={request}
              keyName={names.get(request.keyId) ?? unnamed}
              isNew={request.position > since}
            />
          ),
        },
        {
          name: 'Duration',
          isNumber: true,
          isExtra: true,
          render: ({ durationMs }) => formatMs(durationMs),
        },
        {
          name: 'API key',
          isExtra: true,
          render: ({ keyId }) =>
            names.get(keyId) ?? (
              <Text span c="dimmed">
                {unnamed}
              </Text>
            ),
        },
        {
          name: 'Request ID',
          isExtra: true,
          render: ({ requestId }) => (
            <span className={styles['id']}>
              {requestId}
              <CopyIcon text={requestId} what={requestId} isSmall />
            </span>
          ),
        },
      ]}
    />
  );
}

function RequestCell(props: {
  request: LoggedRequest;
  keyName: string;
  isNew: boolean;
}): ReactNode {
  const { request, keyName, isNew } = props;
  return (
    <div className={isNew ? styles['fresh'] : undefined}>
      <div className={styles['path']}>
        <span className={styles['method']}>{request.method}</span> {request.path}
      </div>
      <Text size="xs" c="dimmed" hiddenFrom="sm">
        {formatMs(request.durationMs)}, {keyName}
      </Text>
    </div>
  );
}

/** Shows the exact local time. Hover and focus also show New York time. */
function LogTime({ at }: { at: string }): ReactNode {
  return (
    <Tooltip label={timeTooltip(at)} events={{ hover: true, focus: true, touch: true }}>
      <time dateTime={at} tabIndex={0} className={styles['time']}>
        {clock.format(new Date(at))}
        <Text size="xs" c="dimmed" component="span" display="block">
          {day.format(new Date(at))}
        </Text>
      </time>
    </Tooltip>
  );
}

function timeTooltip(at: string): ReactNode {
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
    <EmptyState icon={<IconListDetails size={24} />} title="No matching requests">
      No logged request matches these filters.
    </EmptyState>
  ) : (
    <EmptyState icon={<IconListDetails size={24} />} title="No requests yet">
      Requests with this account’s API keys appear here within seconds, with their status, duration
      and request ID. Only the latest requests are kept.
    </EmptyState>
  );
}
