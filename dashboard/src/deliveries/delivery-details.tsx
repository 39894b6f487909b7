import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import type { DeliveryDetail } from '../api/calls.gen.ts';
import { CopyText } from '../ui/controls/copy-text.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import styles from './delivery-details.module.css';
import { DeliveryStatus } from './delivery-status.tsx';
import { DELIVERY_STATES } from './delivery-state.ts';
import { serverNow } from '../api/server-clock.ts';
import { formatHere, formatNewYork } from '../format/time.ts';

/** Shows the details of a delivery, with links to related deliveries. */
export function DeliveryDetails(props: {
  delivery: DeliveryDetail;
  endpointName: string | null;
}): ReactNode {
  const { delivery, endpointName } = props;
  const { state, nextAttemptAt, replayOf, supersededBy, changedFields } = delivery;
  return (
    <dl className={styles['facts']}>
      <Detail name="Status">
        <DeliveryStatus state={state} />
        <Text size="xs" c="dimmed" mt={4}>
          {DELIVERY_STATES[state].means}
        </Text>
      </Detail>
      {nextAttemptAt !== null && (
        <Detail name="Next attempt">
          <NextAttempt at={nextAttemptAt} />
        </Detail>
      )}
      <Detail name="Attempts">
        {delivery.attemptCount} of {delivery.maxAttempts}
      </Detail>
      <Detail name="Endpoint">
        {endpointName === null ? (
          'Deleted'
        ) : (
          <Link
            to="/webhooks/$endpointId"
            params={{ endpointId: delivery.endpointId }}
            className={styles['link']}
          >
            {endpointName}
          </Link>
        )}
      </Detail>
      <Detail name="Event">{delivery.eventType}</Detail>
      <Detail name="Changed fields">
        {changedFields.length === 0 ? '–' : changedFields.join(', ')}
      </Detail>
      <Detail name="Created">
        <RelativeTime at={delivery.createdAt} />
      </Detail>
      {delivery.deliveredAt !== null && (
        <Detail name="Delivered">
          <RelativeTime at={delivery.deliveredAt} />
        </Detail>
      )}
      <LinkDetail name="Replay of" id={replayOf} />
      <LinkDetail name="Superseded by" id={supersededBy} />
      <Detail name="ID" isWide>
        <CopyText text={delivery.id} what="delivery ID" />
      </Detail>
    </dl>
  );
}

function Detail(props: { name: string; isWide?: boolean; children: ReactNode }): ReactNode {
  return (
    <div className={props.isWide === true ? styles['wide'] : styles['fact']}>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

/** Shows a link to a related delivery, or nothing if there is none. */
function LinkDetail({ name, id }: { name: string; id: string | null }): ReactNode {
  if (id === null) return null;
  return (
    <Detail name={name}>
      <Link to="/deliveries/$deliveryId" params={{ deliveryId: id }} className={styles['other']}>
        {id}
      </Link>
    </Detail>
  );
}

/** Shows a countdown to the next attempt. */
function NextAttempt({ at }: { at: string }): ReactNode {
  const seconds = useSecondsUntil(at);
  return (
    <>
      {seconds <= 0 ? 'as soon as possible' : `in ${formatCountdown(seconds)}`}
      <br />
      <small>
        {formatHere(at)} · {formatNewYork(at)}
      </small>
    </>
  );
}

function useSecondsUntil(at: string): number {
  const [now, setNow] = useState(() => serverNow());
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return Math.ceil((Date.parse(at) - now) / 1_000);
}

/** Formats a countdown as `1 h 04 min`, `4 min 09 s`, or `9 s`. */
function formatCountdown(seconds: number): string {
  const pad = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`;
  return minutes > 0 ? `${minutes} min ${pad(seconds % 60)} s` : `${seconds} s`;
}
