import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Account } from '../api/calls.gen.ts';
import { useAction } from '../api/use-action.ts';
import { Panel } from '../ui/page/panel.tsx';
import { DialogButtons, FormError } from '../ui/controls/form-parts.tsx';

/** Deletes a customer after the operator types its name and confirms the password. */
export function DeleteCustomer({ customer }: { customer: Account }): ReactNode {
  const { id, name } = customer;
  const navigate = useNavigate();
  const [isOpen, dialog] = useDisclosure(false);
  const [input, setInput] = useState('');
  const remove = useAction('customers-delete', {
    refreshes: ['customers-list'],
    isQuiet: true,
    successMessage: `${name} deleted`,
    onDone: () => void navigate({ to: '/operator/customers' }),
  });

  function close(): void {
    setInput('');
    remove.reset();
    dialog.close();
  }

  return (
    <Panel title="Delete">
      <Group justify="space-between" gap="md">
        <Text size="sm" c="dimmed" maw={620}>
          Deletion is permanent. To block API access temporarily, suspend the customer instead.
        </Text>
        <Button variant="default" size="xs" onClick={dialog.open}>
          Delete customer…
        </Button>
      </Group>
      <Modal opened={isOpen} onClose={close} title={`Delete ${name}?`}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (input === name) remove.mutate({ path: { customerId: id } });
          }}
        >
          <Stack gap="md">
            <FormError error={remove.error} />
            <Text size="sm">
              All API keys are revoked, members removed, webhook endpoints, usage and request log
              deleted. The audit log is kept. This can’t be undone.
            </Text>
            <TextInput
              label={`Type ${name} to confirm`}
              data-autofocus
              value={input}
              onChange={({ currentTarget }) => setInput(currentTarget.value)}
            />
            <DialogButtons
              submitLabel="Delete permanently"
              onCancel={close}
              color="red"
              disabled={input !== name}
              loading={remove.isPending}
            />
          </Stack>
        </form>
      </Modal>
    </Panel>
  );
}
