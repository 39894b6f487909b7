import { Button, Group, Modal, Select, Stack, Text, Accordion, Loader } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { WebhookEndpoint } from '../../api/calls.gen.ts';
import { useAction } from '../../api/use-action.ts';
import { useCall } from '../../api/use-call.ts';
import { FormError } from '../../ui/controls/form-parts.tsx';
import { AttemptCard } from '../../deliveries/attempt/attempt-card.tsx';
import { DeliveryStatus } from '../../deliveries/delivery-status.tsx';
import { AnchorLink } from '../../ui/controls/links.tsx';
import { Loaded } from '../../ui/page/loaded.tsx';
import { SymbolChoice } from './symbol-choice.tsx';

/** Sends a test delivery and shows its progress. Reopening the dialog resets it. */
export function SendTest(props: {
  endpoint: WebhookEndpoint;
  isOpen: boolean;
  onClose: () => void;
}): ReactNode {
  const { endpoint, isOpen, onClose } = props;
  return (
    <Modal opened={isOpen} onClose={onClose} title="Send test delivery" size="xl">
      <TestForm endpoint={endpoint} />
    </Modal>
  );
}

function TestForm({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const [symbol, setSymbol] = useState('');
  const [templateId, setTemplateId] = useState('earnings_schedule');
  const [deliveryId, setDeliveryId] = useState<string | null>(null);
  const templates = useCall('webhook-templates-list', {});
  const test = useAction('webhooks-test', {
    refreshes: ['deliveries-list', 'webhooks-list', 'webhooks-read', 'delivery-stats-read'],
    isQuiet: true,
    onDone: (result) => setDeliveryId(result.deliveryId),
  });

  function send(): void {
    setDeliveryId(null);
    const selected = symbol.trim().toUpperCase();
    const body = { templateId, ...(selected === '' ? {} : { symbol: selected }) };
    test.mutate({ path: { endpointId: endpoint.id }, body });
  }

  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        Sends one delivery with a company’s current data, without retries. Also works while the
        endpoint is disabled. Limited to 10 per minute.
      </Text>
      <Group align="flex-end" gap="sm">
        <SymbolChoice value={symbol} onChange={setSymbol} />
        <Select
          label="Event"
          data={(templates.data ?? []).map((template) => template.templateId)}
          value={templateId}
          onChange={(value) => setTemplateId(value ?? 'earnings_schedule')}
          allowDeselect={false}
        />
        <Button onClick={send} loading={test.isPending}>
          {deliveryId === null ? 'Send' : 'Send another'}
        </Button>
      </Group>
      <FormError error={test.error} title="Test not sent" />
      {deliveryId !== null && <TestResult deliveryId={deliveryId} url={endpoint.url} />}
    </Stack>
  );
}

/** Polls at a short interval, because the user is waiting. */
const TEST_MS = 700;

/** Shows the progress of a test delivery. */
function TestResult(props: { deliveryId: string; url: string }): ReactNode {
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
