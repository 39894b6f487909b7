import { Button, Group, Modal, Select, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useAction } from '../api/use-action.ts';
import type { Key } from '../api/calls.gen.ts';
import { ActionsMenu } from '../ui/controls/actions-menu.tsx';
import { ConfirmDialog } from '../ui/controls/confirm-dialog.tsx';

const GRACES = [
  { value: 'now', label: 'Immediately' },
  { value: '1h', label: 'In 1 hour' },
  { value: '24h', label: 'In 24 hours' },
  { value: '7d', label: 'In 7 days' },
] as const;

/** Offers the actions for a key: roll, disable, enable, revoke, and delete. */
export function KeyActions(props: { apiKey: Key; onRolled: (key: string) => void }): ReactNode {
  const { apiKey, onRolled } = props;
  const [isRolling, rollDialog] = useDisclosure(false);
  const [isRevoking, revokeDialog] = useDisclosure(false);
  const refreshes = ['keys-list'] as const;
  const change = useAction('keys-update', { refreshes });
  const revoke = useAction('keys-revoke', { refreshes, successMessage: 'API key revoked' });
  const remove = useAction('keys-delete', { refreshes });
  const path = { keyId: apiKey.id };
  const toggle = (): void =>
    change.mutate({ path, body: { enabled: apiKey.state === 'disabled' } });
  const revokeAction = { label: 'Revoke…', isDanger: true, onChoose: revokeDialog.open };
  const actions = {
    active: [
      { label: 'Roll…', onChoose: rollDialog.open },
      { label: 'Disable', onChoose: toggle },
      revokeAction,
    ],
    disabled: [{ label: 'Enable', onChoose: toggle }, revokeAction],
    // A suspended key works again when the account is reactivated, so it can't be deleted.
    suspended: [revokeAction],
    ended: [{ label: 'Delete', onChoose: () => remove.mutate({ path }) }],
  }[apiKey.state === 'expired' || apiKey.state === 'revoked' ? 'ended' : apiKey.state];
  return (
    <>
      <ActionsMenu name={`Actions for ${apiKey.name || apiKey.last4}`} actions={actions} />
      <ConfirmDialog
        isOpen={isRevoking}
        onClose={revokeDialog.close}
        onConfirm={() => revoke.mutate({ path })}
        confirmation={{
          title: 'Revoke API key?',
          text: `${apiKey.name || 'This key'} (…${apiKey.last4}) stops working immediately. This can’t be undone.`,
          confirmLabel: 'Revoke',
        }}
      />
      <RollDialog
        apiKey={apiKey}
        isOpen={isRolling}
        onClose={rollDialog.close}
        onRolled={onRolled}
      />
    </>
  );
}

function RollDialog(props: {
  apiKey: Key;
  isOpen: boolean;
  onClose: () => void;
  onRolled: (key: string) => void;
}): ReactNode {
  const { apiKey, isOpen, onClose, onRolled } = props;
  const [grace, setGrace] = useState<(typeof GRACES)[number]['value']>('24h');
  const roll = useAction('keys-roll', {
    refreshes: ['keys-list'],
    onDone: ({ key: text }) => {
      onClose();
      onRolled(text);
    },
  });
  return (
    <Modal opened={isOpen} onClose={onClose} title={`Roll ${apiKey.name || 'API key'}`}>
      <Text size="sm" mb="md">
        This creates a new key with the same name, scopes and limits. Both keys work until the old
        one expires, so you can switch without downtime.
      </Text>
      <Select
        label="Old key expires"
        data={GRACES}
        value={grace}
        onChange={(value) =>
          setGrace(GRACES.find((option) => option.value === value)?.value ?? '24h')
        }
        allowDeselect={false}
      />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          loading={roll.isPending}
          onClick={() => roll.mutate({ path: { keyId: apiKey.id }, body: { grace } })}
        >
          Roll key
        </Button>
      </Group>
    </Modal>
  );
}
