import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { ConfirmButton } from '../ui/controls/confirm-button.tsx';
import { CopyText } from '../ui/controls/copy-text.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';

const REFRESHES = ['webhooks-read', 'webhooks-list'] as const;
const OVERLAPS = [
  { value: '0', label: 'No overlap' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '1 day' },
  { value: '72', label: '3 days' },
  { value: '168', label: '7 days' },
];

/** Creates the next secret (step 1). */
export function CreateNextSecret(props: {
  endpointId: string;
  onCreated: (secret: string) => void;
}): ReactNode {
  const prepare = useAction('webhook-secrets-prepare', {
    refreshes: REFRESHES,
    onDone: ({ secret }) => props.onCreated(secret),
  });
  return (
    <Button
      mt="md"
      loading={prepare.isPending}
      onClick={() => prepare.mutate({ path: { endpointId: props.endpointId } })}
    >
      Create next secret
    </Button>
  );
}

/** Activates or discards the next secret (step 2). */
export function ActivateNextSecret(props: {
  endpointId: string;
  createdAt: string;
  /** The next secret, if it was created on this page. */
  secret: string | null;
  onEnded: () => void;
}): ReactNode {
  const { endpointId, createdAt, secret, onEnded } = props;
  const options = { refreshes: REFRESHES, onDone: onEnded };
  const withdraw = useAction('webhook-secrets-withdraw', {
    ...options,
    successMessage: 'Next secret discarded',
  });
  return (
    <Stack gap="md" mt="md">
      <Text size="sm" component="div">
        The next secret was created <RelativeTime at={createdAt} />. Add it to your receiver next to
        the current secret, then activate it.
      </Text>
      {secret === null ? (
        <Text size="sm" c="dimmed">
          To see it again, reveal the secrets above.
        </Text>
      ) : (
        <CopyText text={secret} what="next secret" />
      )}
      <Group align="flex-end">
        <ActivateButton endpointId={endpointId} onDone={onEnded} />
        <ConfirmButton
          size="sm"
          loading={withdraw.isPending}
          label="Discard"
          title="Discard the next secret?"
          text="Deliveries will no longer have a second signature. The current secret doesn’t change."
          confirmLabel="Discard"
          onConfirm={() => withdraw.mutate({ path: { endpointId } })}
        />
      </Group>
    </Stack>
  );
}

/** Activates the next secret. The old secret stays valid for the chosen time. */
function ActivateButton(props: { endpointId: string; onDone: () => void }): ReactNode {
  const { endpointId, onDone } = props;
  const [hours, setHours] = useState('24');
  const activate = useAction('webhook-secrets-activate', {
    refreshes: REFRESHES,
    onDone,
    successMessage: 'Secret activated',
  });
  return (
    <>
      <Select
        label="Keep the old secret valid for"
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
        title="Activate the next secret?"
        text={
          hours === '0'
            ? 'The old secret stops signing immediately. Receivers that only have the old secret will reject deliveries.'
            : 'The main signature header uses the next secret from now on. Receivers that only have the old secret and only check the main header will reject deliveries.'
        }
        confirmLabel="Activate"
        onConfirm={() =>
          activate.mutate({ path: { endpointId }, body: { overlapHours: Number(hours) } })
        }
      />
    </>
  );
}
