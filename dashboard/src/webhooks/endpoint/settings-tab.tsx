import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { WebhookEndpoint } from '../../api/calls.gen.ts';
import { useAction } from '../../api/use-action.ts';
import { endpointName } from '../../deliveries/use-endpoint-names.ts';
import { ConfirmButton } from '../../ui/controls/confirm-button.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { RelativeTime } from '../../ui/values/relative-time.tsx';
import { FormatFields } from '../format-fields.tsx';
import { UrlRequirements } from '../endpoint-form.tsx';
import { useFormError } from '../use-form-error.tsx';
import { EnablePanel } from './enable-panel.tsx';

const REFRESHES = ['webhooks-list', 'webhooks-read'] as const;

/** Edits, disables, or deletes an endpoint. */
export function SettingsTab({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  return (
    <Stack gap="lg">
      <DetailsPanel endpoint={endpoint} />
      <EnablePanel endpoint={endpoint} />
      <DeletePanel endpoint={endpoint} />
    </Stack>
  );
}

function DetailsPanel({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const { id, url, description, payloadFormat, standardWebhooks } = endpoint;
  const { createdAt, createdBy } = endpoint;
  const form = useForm({ initialValues: { url, description, payloadFormat, standardWebhooks } });
  const change = useAction('webhooks-update', {
    refreshes: REFRESHES,
    isQuiet: true,
    successMessage: 'Endpoint updated',
    onDone: () => form.resetDirty(),
  });
  const formError = useFormError(form);
  return (
    <Panel title="Details">
      <form
        noValidate
        onSubmit={form.onSubmit((body) => {
          formError.clear();
          change.mutate({ path: { endpointId: id }, body }, { onError: formError.show });
        })}
      >
        <Stack gap="md" maw={640}>
          {formError.notice}
          <TextInput label="URL" type="url" maxLength={2048} {...form.getInputProps('url')} />
          <UrlRequirements />
          <TextInput label="Description" maxLength={200} {...form.getInputProps('description')} />
          <FormatFields form={form} />
          {createdBy !== null && (
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              Created <RelativeTime at={createdAt} /> by {createdBy.label}
            </Text>
          )}
          <Text size="sm" c="dimmed">
            If you change the URL, pending deliveries are sent to the new one. The secret and
            subscriptions don’t change.
          </Text>
          <Group>
            <Button type="submit" loading={change.isPending} disabled={!form.isDirty()}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}

function DeletePanel({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const navigate = useNavigate();
  const remove = useAction('webhooks-delete', {
    refreshes: ['webhooks-list', 'deliveries-list'],
    successMessage: 'Endpoint deleted',
    onDone: () => void navigate({ to: '/webhooks' }),
  });
  return (
    <Panel title="Delete endpoint">
      <Text size="sm" mb="md">
        This deletes the secret and subscriptions and cancels pending deliveries. The delivery log
        is kept for its retention period.
      </Text>
      <ConfirmButton
        size="sm"
        label="Delete endpoint"
        loading={remove.isPending}
        title={`Delete ${endpointName(endpoint)}?`}
        text="This deletes the secret and subscriptions and cancels pending deliveries. It can’t be undone."
        confirmLabel="Delete"
        onConfirm={() => remove.mutate({ path: { endpointId: endpoint.id } })}
      />
    </Panel>
  );
}
