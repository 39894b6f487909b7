import { Button, Group, Modal, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** The contents of a confirmation dialog. */
export interface Confirmation {
  title: string;
  /** The consequences of the action. */
  text: ReactNode;
  confirmLabel: string;
  isDanger?: boolean;
}

/** Explains an action and asks for confirmation. */
export function ConfirmDialog(props: {
  isOpen: boolean;
  confirmation: Confirmation;
  onClose: () => void;
  onConfirm: () => void;
}): ReactNode {
  const { isOpen, confirmation, onClose, onConfirm } = props;
  const { title, text, confirmLabel, isDanger = true } = confirmation;
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <Text size="sm" component="div">
        {text}
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button
          color={isDanger ? 'red' : 'bell'}
          onClick={() => {
            onClose();
            onConfirm();
          }}
        >
          {confirmLabel}
        </Button>
      </Group>
    </Modal>
  );
}
