import { Accordion, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { DeliveryDetail } from '../../api/calls.gen.ts';
import { AttemptCard } from './attempt-card.tsx';

/**
 * Lists all attempts for a delivery, newest first. The newest attempt is expanded, including one
 * that arrives later.
 */
export function AttemptList(props: { delivery: DeliveryDetail; url: string | null }): ReactNode {
  const { delivery, url } = props;
  const newest = String(delivery.attempts.at(-1)?.n ?? '');
  // Null until the user expands or collapses an attempt.
  const [expanded, setExpanded] = useState<string[] | null>(null);
  if (delivery.attempts.length === 0) {
    return (
      <Text size="sm" c="dimmed" p="md">
        {delivery.attemptCount === 0
          ? 'No attempts yet.'
          : 'The attempts of this delivery have been removed after their retention period.'}
      </Text>
    );
  }
  return (
    <Accordion multiple value={expanded ?? [newest]} onChange={setExpanded} order={3}>
      {delivery.attempts.toReversed().map((attempt) => (
        <AttemptCard key={attempt.n} attempt={attempt} url={url} />
      ))}
    </Accordion>
  );
}
