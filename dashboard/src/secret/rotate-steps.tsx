import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct } from '../api/use-act.ts';
import { ConfirmButton } from '../ui/controls/confirm-button.tsx';
import { CopyText } from '../ui/controls/copy-text.tsx';
import { Moment } from '../ui/values/moment.tsx';

const REFRESHES = ['webhooks-read', 'webhooks-list'] as const;
const OVERLAPS = [
  { value: '0', label: 'Not at all' },
  { value: '1', label: 'One hour' },
  { value: '24', label: 'A day' },
  { value: '72', label: 'Three days' },
  { value: '168', label: 'A week, the most' },
];

/** First step: makes the next secret. */
export function Prepare(props: {
  endpointId: string;
  onMade: (secret: string) => void;
}): ReactNode {
  const prepare = useAct('webhook-secrets-prepare', {
    refreshes: REFRESHES,
    onDone: ({ secret }) => props.onMade(secret),
  });
  return (
    <Button
      mt="md"
      loading={prepare.isPending}
      onClick={() => prepare.mutate({ path: { endpointId: props.endpointId } })}
    >
      Prepare the next secret
    </Button>
  );
}

/** Second step: the next secret takes over; or it is taken back. */
export function Activate(props: {
  endpointId: string;
  since: string;
  /** As long as it was made on this page. */
  secret: string | null;
  onEnded: () => void;
}): ReactNode {
  const { endpointId, since, secret, onEnded } = props;
  const [hours, setHours] = useState('24');
  const options = { refreshes: REFRESHES, onDone: onEnded };
  const activate = useAct('webhook-secrets-activate', {
    ...options,
    says: 'The next secret is in force.',
  });
  const withdraw = useAct('webhook-secrets-withdraw', {
    ...options,
    says: 'The prepared secret is taken back.',
  });
  const path = { endpointId };
  return (
    <Stack gap="md" mt="md">
      <Text size="sm" component="div">
        A next secret was prepared <Moment at={since} />. Put it into your receiver beside the one
        in force; then activate it.
      </Text>
      {secret === null ? (
        <Text size="sm" c="dimmed">
          To see it again, show the secrets above.
        </Text>
      ) : (
        <CopyText text={secret} what="the next secret" />
      )}
      <Group align="flex-end">
        <Select
          label="The old one signs beside for"
          data={OVERLAPS}
          value={hours}
          onChange={(value) => setHours(value ?? '24')}
          allowDeselect={false}
        />
        <ConfirmButton
          size="sm"
          variant="filled"
          isDanger={false}
          loading={activate.isPending}
          label="Activate"
          title="Put the next secret in force?"
          text={
            hours === '0'
              ? 'From the next attempt on the old secret signs nothing. A receiver that knows the old one alone refuses what comes.'
              : 'From the next attempt on the main signature is of the next secret. A receiver that knows the old one alone, and looks at the main header alone, refuses what comes.'
          }
          confirmLabel="Activate"
          onConfirm={() => activate.mutate({ path, body: { overlapHours: Number(hours) } })}
        />
        <ConfirmButton
          size="sm"
          loading={withdraw.isPending}
          label="Take it back"
          title="Take the prepared secret back?"
          text="The second signature is not sent any more. The secret in force stays as it is."
          confirmLabel="Take it back"
          onConfirm={() => withdraw.mutate({ path })}
        />
      </Group>
    </Stack>
  );
}
