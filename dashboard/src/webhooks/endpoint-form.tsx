import { List, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import type { CreatedWebhookEndpoint } from '../api/calls.gen.ts';
import { useAction } from '../api/use-action.ts';
import { FormatFields } from './format-fields.tsx';
import { useFormError } from './use-form-error.tsx';
import { DialogButtons } from '../ui/controls/form-parts.tsx';

const INITIAL_VALUES = {
  url: '',
  description: '',
  payloadFormat: 'json' as 'json' | 'cloudevents',
  standardWebhooks: false,
};

/** Creates an endpoint. Validation errors from the service are shown next to the field. */
export function EndpointForm(props: {
  isOpen: boolean;
  onClose: () => void;
  onCreated: (endpoint: CreatedWebhookEndpoint) => void;
}): ReactNode {
  const { isOpen, onClose, onCreated } = props;
  const form = useForm({
    initialValues: INITIAL_VALUES,
    validate: { url: (url) => (url.trim() === '' ? 'Enter a URL.' : null) },
  });
  const create = useAction('webhooks-create', {
    refreshes: ['webhooks-list'],
    isQuiet: true,
    onDone(endpoint) {
      form.reset();
      onCreated(endpoint);
    },
  });

  const formError = useFormError(form);

  function submit({ url, ...settings }: typeof INITIAL_VALUES): void {
    formError.clear();
    create.mutate({ body: { url: url.trim(), ...settings } }, { onError: formError.show });
  }

  return (
    <Modal opened={isOpen} onClose={onClose} title="New endpoint" size="lg">
      <form onSubmit={form.onSubmit(submit)} noValidate>
        <Stack gap="md">
          {formError.notice}
          <TextInput
            label="URL"
            type="url"
            placeholder="https://hooks.example.com/earnings"
            data-autofocus
            maxLength={2048}
            {...form.getInputProps('url')}
          />
          <UrlRequirements />
          <TextInput
            label="Description"
            placeholder="Trading desk"
            maxLength={200}
            {...form.getInputProps('description')}
          />
          <FormatFields form={form} />
          <DialogButtons submitLabel="Add endpoint" onCancel={onClose} loading={create.isPending} />
        </Stack>
      </form>
    </Modal>
  );
}

/** Lists the requirements for endpoint URLs. */
export function UrlRequirements(): ReactNode {
  return (
    <List size="sm" c="dimmed" spacing={2}>
      <List.Item>Use https:// and port 443, unless the operator allows other ports.</List.Item>
      <List.Item>Use a public host name, not an IP address or localhost.</List.Item>
      <List.Item>Don’t include a user name, password or fragment (#).</List.Item>
      <List.Item>
        <Text span inherit>
          The host name is resolved before each attempt. Private addresses are blocked.
        </Text>
      </List.Item>
    </List>
  );
}
