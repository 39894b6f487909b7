import { Button, Group, Modal, PasswordInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useEffect, useState } from 'react';
import { call } from '../api/call.ts';
import { errorMessage } from '../api/problem.ts';
import { registerPasswordPrompt } from './password-prompt.ts';

/** A stacking order above all other dialogs, because any of them might need the password. */
const ABOVE_DIALOGS = 320;

/** Confirms the password before a sensitive action, such as revealing a secret. */
export function PasswordDialog(): ReactNode {
  const [pending, setPending] = useState<{ resolve: (isConfirmed: boolean) => void } | null>(null);
  const form = useForm({ initialValues: { password: '' } });

  useEffect(
    () => registerPasswordPrompt(() => new Promise((resolve) => setPending({ resolve }))),
    [],
  );

  function close(isConfirmed: boolean): void {
    setPending(null);
    form.reset();
    pending?.resolve(isConfirmed);
  }

  async function confirm(): Promise<void> {
    try {
      await call('session-confirm-password', { body: form.values }, { customerId: null });
      close(true);
    } catch (error) {
      form.setFieldError('password', errorMessage(error));
    }
  }

  return (
    <Modal
      opened={pending !== null}
      onClose={() => close(false)}
      title="Confirm your password"
      zIndex={ABOVE_DIALOGS}
    >
      <form onSubmit={form.onSubmit(() => void confirm())}>
        <Text size="sm" c="dimmed" mb="md">
          This action needs your password. You won’t be asked again for ten minutes.
        </Text>
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          data-autofocus
          required
          {...form.getInputProps('password')}
        />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={() => close(false)}>
            Cancel
          </Button>
          <Button type="submit">Confirm</Button>
        </Group>
      </form>
    </Modal>
  );
}
