import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DeliveryDetail } from '../api/calls.gen.ts';
import { CopyText } from '../ui/controls/copy-text.tsx';
import { Moment } from '../ui/values/moment.tsx';
import styles from './delivery-facts.module.css';
import { DeliveryMark } from './delivery-mark.tsx';
import { DELIVERY_STATES } from './delivery-state.ts';
import { NextTry } from './next-try.tsx';

/** The details of a delivery, with links to related deliveries. */
export function DeliveryFacts(props: {
  delivery: DeliveryDetail;
  endpointName: string | null;
}): ReactNode {
  const { delivery, endpointName } = props;
  const { state, nextAttemptAt, replayOf, supersededBy, changedFields } = delivery;
  return (
    <dl className={styles['facts']}>
      <Fact name="Status">
        <DeliveryMark state={state} />
        <Text size="xs" c="dimmed" mt={4}>
          {DELIVERY_STATES[state].means}
        </Text>
      </Fact>
      {nextAttemptAt !== null && (
        <Fact name="Next attempt">
          <NextTry at={nextAttemptAt} />
        </Fact>
      )}
      <Fact name="Attempts">
        {delivery.attemptCount} of {delivery.maxAttempts}
      </Fact>
      <Fact name="Endpoint">
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
      </Fact>
      <Fact name="Event">{delivery.eventType}</Fact>
      <Fact name="Changed fields">
        {changedFields.length === 0 ? '–' : changedFields.join(', ')}
      </Fact>
      <Fact name="Created">
        <Moment at={delivery.createdAt} />
      </Fact>
      {delivery.deliveredAt !== null && (
        <Fact name="Delivered">
          <Moment at={delivery.deliveredAt} />
        </Fact>
      )}
      {replayOf !== null && (
        <Fact name="Replay of">
          <Other id={replayOf} />
        </Fact>
      )}
      {supersededBy !== null && (
        <Fact name="Superseded by">
          <Other id={supersededBy} />
        </Fact>
      )}
      <Fact name="ID" isWide>
        <CopyText text={delivery.id} what="delivery ID" />
      </Fact>
    </dl>
  );
}

function Fact(props: { name: string; isWide?: boolean; children: ReactNode }): ReactNode {
  return (
    <div className={props.isWide === true ? styles['wide'] : styles['fact']}>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

function Other({ id }: { id: string }): ReactNode {
  return (
    <Link to="/deliveries/$deliveryId" params={{ deliveryId: id }} className={styles['other']}>
      {id}
    </Link>
  );
}
