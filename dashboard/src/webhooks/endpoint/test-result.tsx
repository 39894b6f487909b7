import { Accordion, Group, Loader, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCall } from '../../api/use-call.ts';
import { AttemptCard } from '../../deliveries/attempt/attempt-card.tsx';
import { DeliveryStatus } from '../../deliveries/delivery-status.tsx';
import { AnchorLink } from '../../ui/controls/links.tsx';
import { Loaded } from '../../ui/page/loaded.tsx';

/** Polls fast, since the user is waiting. */
const TEST_MS = 700;

/** The progress of a test delivery. */
export function TestResult(props: { deliveryId: string; url: string }): ReactNode {
  const { deliveryId, url } = props;
  const path = { deliveryId };
  const delivery = useCall('deliveries-read', { path }, { everyMs: TEST_MS });
  return (
    <Loaded query={delivery} height={80}>
      {({ symbol, state, attempts: [attempt] }) => (
        <Stack gap="sm" aria-live="polite">
          <Group justify="space-between">
            <Group gap="sm">
              <Text fw={600}>{symbol}</Text>
              <DeliveryStatus state={state} />
              {(state === 'pending' || state === 'in_progress') && (
                <Loader size="xs" aria-label="Waiting for response" />
              )}
            </Group>
            <AnchorLink to="/deliveries/$deliveryId" params={{ deliveryId }} size="sm">
              View delivery
            </AnchorLink>
          </Group>
          {attempt !== undefined && (
            <Accordion variant="separated" defaultValue="1" order={3}>
              <AttemptCard attempt={attempt} url={url} />
            </Accordion>
          )}
        </Stack>
      )}
    </Loaded>
  );
}
