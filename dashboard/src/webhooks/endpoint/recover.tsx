import { Alert, Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { WebhookEndpoint } from '../../api/calls.gen.ts';
import { sayProblem } from '../../api/problem.ts';
import { useAct } from '../../api/use-act.ts';
import { formatCount } from '../../format/number.ts';
import { AnchorLink } from '../../ui/controls/links.tsx';

const HOUR_MS = 3_600_000;
const CHOICES = [
  { value: '1', label: 'For the last hour' },
  { value: '6', label: 'For 6 hours' },
  { value: '24', label: 'For a day' },
  { value: '72', label: 'For 3 days' },
  { value: '168', label: 'For a week' },
  { value: '719', label: 'For 30 days, the most' },
  { value: 'since', label: 'Since a moment…' },
];

/** Sends again what was missed, for instance when a receiver was away. */
export function Recover(props: {
  endpoint: WebhookEndpoint;
  isOpen: boolean;
  onClose: () => void;
}): ReactNode {
  const { endpoint, isOpen, onClose } = props;
  const [choice, setChoice] = useState('24');
  const [moment, setMoment] = useState('');
  const recover = useAct('webhooks-recover', {
    refreshes: ['deliveries-list', 'webhooks-list', 'webhooks-read'],
    isQuiet: true,
  });
  const isMissing = choice === 'since' && moment === '';

  function close(): void {
    recover.reset();
    onClose();
  }

  function start(): void {
    const at =
      choice === 'since' ? new Date(moment) : new Date(Date.now() - Number(choice) * HOUR_MS);
    recover.mutate({ path: { endpointId: endpoint.id }, body: { since: at.toISOString() } });
  }

  return (
    <Modal opened={isOpen} onClose={close} title="Recover what was missed" size="lg">
      <Stack gap="md">
        <Text size="sm">
          For each company whose newest delivery since then was not answered 2xx, a new one is
          opened, with the data of now and all fields named. Companies whose newest delivery was
          answered are left alone. They go out at fifty a second at most.
          {endpoint.state === 'disabled' &&
            ' The endpoint is disabled, so they are held until it is enabled.'}
        </Text>
        <Group align="flex-end">
          <Select
            label="It was away"
            data-autofocus
            data={CHOICES}
            value={choice}
            onChange={(value) => setChoice(value ?? '24')}
            allowDeselect={false}
          />
          {choice === 'since' && (
            <TextInput
              type="datetime-local"
              label="Since, in your time"
              value={moment}
              onChange={({ currentTarget }) => setMoment(currentTarget.value)}
            />
          )}
        </Group>
        {recover.error !== null && (
          <Alert color="red" variant="light" role="alert">
            {sayProblem(recover.error)}
          </Alert>
        )}
        {recover.data !== undefined && (
          <Opened count={recover.data.opened} endpointId={endpoint.id} />
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

function Opened({ count, endpointId }: { count: number; endpointId: string }): ReactNode {
  return (
    <Alert variant="light" role="status" title={`${formatCount(count)} opened`}>
      {count === 0 ? (
        'Nothing was missed: the newest delivery of each company was answered 2xx, or there was none.'
      ) : (
        <AnchorLink to="/deliveries" search={{ endpoint: endpointId }} size="sm">
          Watch them go out
        </AnchorLink>
      )}
    </Alert>
  );
}
