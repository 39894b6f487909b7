import { Alert, Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { WebhookEndpoint } from '../../api/calls.gen.ts';
import { useAction } from '../../api/use-action.ts';
import { formatCount } from '../../format/number.ts';
import { AnchorLink } from '../../ui/controls/links.tsx';
import { FormError } from '../../ui/controls/form-parts.tsx';

const HOUR_MS = 3_600_000;
const CHOICES = [
  { value: '1', label: 'Last hour' },
  { value: '6', label: 'Last 6 hours' },
  { value: '24', label: 'Last 24 hours' },
  { value: '72', label: 'Last 3 days' },
  { value: '168', label: 'Last 7 days' },
  { value: '719', label: 'Last 30 days' },
  { value: 'since', label: 'Custom…' },
];

/** Recovers missed deliveries, for example after an outage of the receiver. */
export function RecoverDialog(props: {
  endpoint: WebhookEndpoint;
  isOpen: boolean;
  onClose: () => void;
}): ReactNode {
  const { endpoint, isOpen, onClose } = props;
  const [choice, setChoice] = useState('24');
  const [customStart, setCustomStart] = useState('');
  const recover = useAction('webhooks-recover', {
    refreshes: ['deliveries-list', 'webhooks-list', 'webhooks-read'],
    isQuiet: true,
  });
  const isMissing = choice === 'since' && customStart === '';

  function close(): void {
    recover.reset();
    onClose();
  }

  function start(): void {
    const at =
      choice === 'since' ? new Date(customStart) : new Date(Date.now() - Number(choice) * HOUR_MS);
    recover.mutate({ path: { endpointId: endpoint.id }, body: { since: at.toISOString() } });
  }

  return (
    <Modal opened={isOpen} onClose={close} title="Recover missed deliveries" size="lg">
      <Stack gap="md">
        <Text size="sm">
          Creates a new delivery, with current data and all fields, for each company whose latest
          delivery in this period was not delivered. Other companies are skipped. Deliveries are
          sent at up to 50 per second.
          {endpoint.state === 'disabled' &&
            ' This endpoint is disabled, so they are paused until you enable it.'}
        </Text>
        <PeriodFields
          choice={choice}
          setChoice={setChoice}
          customStart={customStart}
          setCustomStart={setCustomStart}
        />
        <FormError error={recover.error} />
        {recover.data !== undefined && (
          <RecoverResult count={recover.data.opened} endpointId={endpoint.id} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {recover.data === undefined ? 'Cancel' : 'Close'}
          </Button>
          <Button onClick={start} loading={recover.isPending} disabled={isMissing}>
            Recover
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function PeriodFields(props: {
  choice: string;
  setChoice: (choice: string) => void;
  customStart: string;
  setCustomStart: (start: string) => void;
}): ReactNode {
  const { choice, setChoice, customStart, setCustomStart } = props;
  return (
    <Group align="flex-end">
      <Select
        label="Period"
        data-autofocus
        data={CHOICES}
        value={choice}
        onChange={(value) => setChoice(value ?? '24')}
        allowDeselect={false}
      />
      {choice === 'since' && (
        <TextInput
          type="datetime-local"
          label="Since (local time)"
          value={customStart}
          onChange={({ currentTarget }) => setCustomStart(currentTarget.value)}
        />
      )}
    </Group>
  );
}

function RecoverResult({ count, endpointId }: { count: number; endpointId: string }): ReactNode {
  return (
    <Alert
      variant="light"
      role="status"
      title={`${formatCount(count)} ${count === 1 ? 'delivery' : 'deliveries'} created`}
    >
      {count === 0 ? (
        'No missed deliveries in this period.'
      ) : (
        <AnchorLink to="/deliveries" search={{ endpoint: endpointId }} size="sm">
          View deliveries
        </AnchorLink>
      )}
    </Alert>
  );
}
