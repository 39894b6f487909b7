import { Button, Group, Modal, Select, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useAct } from '../api/use-act.ts';
import type { Key } from '../api/calls.gen.ts';
import { ActsMenu } from '../ui/controls/acts-menu.tsx';

const GRACES = [
  { value: 'now', label: 'It ends now' },
  { value: '1h', label: 'One hour more' },
  { value: '24h', label: 'A day more' },
  { value: '7d', label: 'A week more' },
] as const;

/** What can be done with a key: roll, disable and enable, revoke, and take out of the list. */
export function KeyActs(props: { of: Key; onRolled: (key: string) => void }): ReactNode {
  const { of: key, onRolled } = props;
  const [isRolling, rolling] = useDisclosure(false);
  const [isEnding, ending] = useDisclosure(false);
  const refreshes = ['keys-list'] as const;
  const change = useAct('keys-update', { refreshes });
  const revoke = useAct('keys-revoke', { refreshes, says: 'The key is revoked.' });
  const remove = useAct('keys-delete', { refreshes });
  const path = { keyId: key.id };
  const turn = (): void => change.mutate({ path, body: { enabled: key.state === 'disabled' } });
  const revoking = { label: 'Revoke…', isDanger: true, onChoose: ending.open };
  const acts = {
    active: [
      { label: 'Roll…', onChoose: rolling.open },
      { label: 'Disable', onChoose: turn },
      revoking,
    ],
    disabled: [{ label: 'Enable', onChoose: turn }, revoking],
    // It works again when the account does, so it is not one to take out.
    suspended: [revoking],
    ended: [{ label: 'Take out of the list', onChoose: () => remove.mutate({ path }) }],
  }[key.state === 'expired' || key.state === 'revoked' ? 'ended' : key.state];
  return (
    <>
      <ActsMenu name={`Acts on ${key.name || key.last4}`} acts={acts} />
      <Modal opened={isEnding} onClose={ending.close} title="Revoke this key?">
        <Text size="sm">
          {key.name || 'It'} (…{key.last4}) is refused from the next request on, for good.
        </Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={ending.close} data-autofocus>
            Cancel
          </Button>
          <Button
            color="red"
            onClick={() => {
              ending.close();
              revoke.mutate({ path });
            }}
          >
            Revoke
          </Button>
        </Group>
      </Modal>
      <RollDialog of={key} isOpen={isRolling} onClose={rolling.close} onRolled={onRolled} />
    </>
  );
}

function RollDialog(props: {
  of: Key;
  isOpen: boolean;
  onClose: () => void;
  onRolled: (key: string) => void;
}): ReactNode {
  const { of: key, isOpen, onClose, onRolled } = props;
  const [grace, setGrace] = useState<(typeof GRACES)[number]['value']>('24h');
  const roll = useAct('keys-roll', {
    refreshes: ['keys-list'],
    onDone: ({ key: text }) => {
      onClose();
      onRolled(text);
    },
  });
  return (
    <Modal opened={isOpen} onClose={onClose} title={`Roll ${key.name || 'this key'}`}>
      <Text size="sm" mb="md">
        A new key takes its place, with the same name, scopes and limits. Both work until the old
        one ends, so that nothing stops while you exchange them.
      </Text>
      <Select
        label="The old key"
        data={GRACES}
        value={grace}
        onChange={(value) => setGrace(GRACES.find((it) => it.value === value)?.value ?? '24h')}
        allowDeselect={false}
      />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          loading={roll.isPending}
          onClick={() => roll.mutate({ path: { keyId: key.id }, body: { grace } })}
        >
          Roll
        </Button>
      </Group>
    </Modal>
  );
}
