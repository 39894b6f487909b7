import { Button, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { ConfirmDialog, type Confirmation } from './confirm-dialog.tsx';

/** A button that asks for confirmation. */
export function ConfirmButton(
  props: {
    label: ReactNode;
    onConfirm: () => void;
    'aria-label'?: string;
  } & Confirmation &
    ButtonProps,
): ReactNode {
  const { label, title, text, confirmLabel, onConfirm, isDanger = true, ...button } = props;
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" size="xs" {...button} onClick={open}>
        {label}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        confirmation={{ title, text, confirmLabel, isDanger }}
        onClose={close}
        onConfirm={onConfirm}
      />
    </>
  );
}
