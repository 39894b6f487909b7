import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { WebhookEndpoint } from '../../api/calls.gen.ts';
import { useAct } from '../../api/use-act.ts';
import { endpointName } from '../../deliveries/use-endpoint-names.ts';
import { ConfirmButton } from '../../ui/controls/confirm-button.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import { UrlRules } from '../endpoint-form.tsx';
import { useRefusal } from '../use-refusal.tsx';
import { SendingPanel } from './sending-panel.tsx';

const REFRESHES = ['webhooks-list', 'webhooks-read'] as const;

/** What can be changed about an endpoint, and how it ends. */
export function SettingsTab({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  return (
    <Stack gap="lg">
      <Terms of={endpoint} />
      <SendingPanel of={endpoint} />
      <Ending of={endpoint} />
    </Stack>
  );
}

function Terms({ of: endpoint }: { of: WebhookEndpoint }): ReactNode {
  const { id, url, description } = endpoint;
  const form = useForm({ initialValues: { url, description } });
  const change = useAct('webhooks-update', {
    refreshes: REFRESHES,
    isQuiet: true,
    says: 'The endpoint is changed.',
    onDone: () => form.resetDirty(),
  });
  const refusal = useRefusal(form);
  return (
    <Panel title="Where and what">
      <form
        noValidate
        onSubmit={form.onSubmit((body) => {
          refusal.clear();
          change.mutate({ path: { endpointId: id }, body }, { onError: refusal.tell });
        })}
      >
        <Stack gap="md" maw={640}>
          {refusal.shown}
          <TextInput label="URL" type="url" maxLength={2048} {...form.getInputProps('url')} />
          <UrlRules />
          <TextInput
            label="What you call it"
            maxLength={200}
            {...form.getInputProps('description')}
          />
          <Text size="sm" c="dimmed">
            With another URL the next attempts go there, those that wait too. The secret and the
            subscriptions stay.
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

function Ending({ of: endpoint }: { of: WebhookEndpoint }): ReactNode {
  const navigate = useNavigate();
  const remove = useAct('webhooks-delete', {
    refreshes: ['webhooks-list', 'deliveries-list'],
    says: 'The endpoint is deleted.',
    onDone: () => void navigate({ to: '/webhooks' }),
  });
  return (
    <Panel title="Delete">
      <Text size="sm" mb="md">
        Its secret and subscriptions go with it, and what waits is cancelled. The log of what was
        sent stays as long as it is kept.
      </Text>
      <ConfirmButton
        size="sm"
        label="Delete the endpoint"
        loading={remove.isPending}
        title={`Delete ${endpointName(endpoint)}?`}
        text="This cannot be undone: secret and subscriptions are gone, and what waits is cancelled."
        confirmLabel="Delete"
        onConfirm={() => remove.mutate({ path: { endpointId: endpoint.id } })}
      />
    </Panel>
  );
}
