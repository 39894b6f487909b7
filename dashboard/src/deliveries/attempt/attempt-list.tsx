import { Accordion, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { DeliveryDetail } from '../../api/calls.gen.ts';
import { AttemptCard } from './attempt-card.tsx';

/** Every attempt of a delivery, the newest first and open; one that comes opens by itself. */
export function AttemptList(props: { of: DeliveryDetail; url: string | null }): ReactNode {
  const { of: delivery, url } = props;
  const newest = String(delivery.attempts.at(-1)?.n ?? '');
  // Until a person opens or closes one, the newest is open.
  const [chosen, setChosen] = useState<string[] | null>(null);
  if (delivery.attempts.length === 0) {
    return (
      <Text size="sm" c="dimmed" p="md">
        {delivery.attemptCount === 0
          ? 'No attempt yet.'
          : 'Its attempts are not kept any more; the delivery itself stays some time longer.'}
      </Text>
    );
  }
  return (
    <Accordion multiple value={chosen ?? [newest]} onChange={setChosen} order={3}>
      {delivery.attempts.toReversed().map((attempt) => (
        <AttemptCard key={attempt.n} of={attempt} url={url} />
      ))}
    </Accordion>
  );
}
