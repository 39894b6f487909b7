import { Button, Group, List, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import type { CreatedWebhookEndpoint } from '../api/calls.gen.ts';
import { useAct } from '../api/use-act.ts';
import { useRefusal } from './use-refusal.tsx';

/** Adds an endpoint; what the service has against a URL is shown at its field. */
export function EndpointForm(props: {
  isOpen: boolean;
  onClose: () => void;
  onMade: (made: CreatedWebhookEndpoint) => void;
}): ReactNode {
  const { isOpen, onClose, onMade } = props;
  const form = useForm({
    initialValues: { url: '', description: '' },
    validate: { url: (url) => (url.trim() === '' ? 'Where shall it be told?' : null) },
  });
  const create = useAct('webhooks-create', {
    refreshes: ['webhooks-list'],
    isQuiet: true,
    onDone(made) {
      form.reset();
      onMade(made);
    },
  });

  const refusal = useRefusal(form);

  function submit({ url, description }: { url: string; description: string }): void {
    refusal.clear();
    create.mutate({ body: { url: url.trim(), description } }, { onError: refusal.tell });
  }

  return (
    <Modal opened={isOpen} onClose={onClose} title="New endpoint" size="lg">
      <form onSubmit={form.onSubmit(submit)} noValidate>
        <Stack gap="md">
          {refusal.shown}
          <TextInput
            label="URL"
            type="url"
            placeholder="https://hooks.example.com/earnings"
            data-autofocus
            maxLength={2048}
            {...form.getInputProps('url')}
          />
          <UrlRules />
          <TextInput
            label="What you call it"
            placeholder="Trading desk"
            maxLength={200}
            {...form.getInputProps('description')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={create.isPending}>
              Add the endpoint
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** What a URL must be, before somebody tries. */
export function UrlRules(): ReactNode {
  return (
    <List size="sm" c="dimmed" spacing={2}>
      <List.Item>
        It starts with https:// and uses port 443, unless the operator opened others.
      </List.Item>
      <List.Item>
        It has a public name of at least two parts; no IP address, no localhost.
      </List.Item>
      <List.Item>It has no user name, password or fragment (#).</List.Item>
      <List.Item>
        <Text span inherit>
          What the name leads to is looked at before each attempt: private addresses are never
          connected to.
        </Text>
      </List.Item>
    </List>
  );
}
