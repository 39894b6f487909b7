import { Button, type ButtonProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { ConfirmDialog, type Question } from './confirm-dialog.tsx';

/** A button that asks for confirmation. */
export function ConfirmButton(
  props: {
    label: ReactNode;
    onConfirm: () => void;
    'aria-label'?: string;
  } & Question &
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
        question={{ title, text, confirmLabel, isDanger }}
        onClose={close}
        onConfirm={onConfirm}
      />
    </>
  );
}
