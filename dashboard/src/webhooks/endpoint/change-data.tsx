import { Alert, Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { SandboxChange, WebhookEndpoint } from '../../api/calls.gen.ts';
import { useAction } from '../../api/use-action.ts';
import { useCall } from '../../api/use-call.ts';
import { FormError } from '../../ui/controls/form-parts.tsx';
import { AnchorLink } from '../../ui/controls/links.tsx';
import { SymbolChoice } from './symbol-choice.tsx';

type Field = SandboxChange['field'];

const FIELDS: readonly { value: Field; label: string }[] = [
  { value: 'date', label: 'Report date' },
  { value: 'time', label: 'Time of day' },
  { value: 'epsEstimate', label: 'EPS estimate' },
  { value: 'revenueEstimate', label: 'Revenue estimate' },
];

/** Changes a company of the simulated market. Reopening the dialog resets it. */
export function ChangeData(props: {
  endpoint: WebhookEndpoint;
  isOpen: boolean;
  onClose: () => void;
}): ReactNode {
  const { endpoint, isOpen, onClose } = props;
  return (
    <Modal opened={isOpen} onClose={onClose} title="Change simulated data" size="lg">
      <ChangeForm endpointId={endpoint.id} />
    </Modal>
  );
}

function ChangeForm({ endpointId }: { endpointId: string }): ReactNode {
  const [symbol, setSymbol] = useState('');
  const [field, setField] = useState<Field>('date');
  const path = { endpointId };
  const subscribed = useCall('webhook-subscriptions-list', { path, query: { limit: 100 } });
  const change = useAction('sandbox-change', {
    refreshes: ['deliveries-list', 'webhooks-read'],
    isQuiet: true,
  });
  // A subscription may name a company set instead, such as `*` or `@name`.
  const first = subscribed.data?.subscriptions.find((it) => /^[A-Z][A-Z0-9.]*$/.test(it.symbol));
  const selected = symbol.trim().toUpperCase() || first?.symbol;

  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        Changes a company’s next report, as its source would. Subscribed endpoints get a delivery.
        All accounts of this sandbox see the change.
      </Text>
      <Group align="flex-end" gap="sm">
        <SymbolChoice value={symbol} onChange={setSymbol} />
        <Select
          label="Field"
          data={FIELDS}
          value={field}
          onChange={(value) =>
            setField(FIELDS.find((each) => each.value === value)?.value ?? 'date')
          }
          allowDeselect={false}
        />
        <Button
          onClick={() => {
            if (selected !== undefined) change.mutate({ body: { symbol: selected, field } });
          }}
          disabled={selected === undefined}
          loading={change.isPending}
        >
          Change
        </Button>
      </Group>
      <FormError error={change.error} title="Nothing changed" />
      {change.data !== undefined && <ChangeResult change={change.data} endpointId={endpointId} />}
    </Stack>
  );
}

function ChangeResult(props: { change: SandboxChange; endpointId: string }): ReactNode {
  const { change, endpointId } = props;
  const { symbol, field, before, after } = change;
  const label = FIELDS.find(({ value }) => value === field)?.label ?? field;
  return (
    <Alert variant="light" role="status" title={`${symbol} changed`}>
      <Group justify="space-between">
        <Text size="sm">
          {label}: {before ?? 'none'} → {after ?? 'none'}
        </Text>
        <AnchorLink to="/deliveries" search={{ endpoint: endpointId, symbol }} size="sm">
          View deliveries
        </AnchorLink>
      </Group>
    </Alert>
  );
}
