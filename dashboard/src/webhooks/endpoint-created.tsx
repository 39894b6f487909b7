import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { CreatedWebhookEndpoint } from '../api/calls.gen.ts';
import { ButtonLink } from '../ui/controls/links.tsx';
import { CopyText } from '../ui/controls/copy-text.tsx';

/** Shows a newly created endpoint with its secret and the next step. */
export function EndpointCreated(props: {
  endpoint: CreatedWebhookEndpoint;
  onDone: () => void;
}): ReactNode {
  const { endpoint, onDone } = props;
  return (
    <Alert variant="light" icon={<IconCheck />} title="Endpoint created">
      <Stack gap="sm">
        <Text size="sm">
          This secret signs all deliveries. Add it to your receiver. Owners can reveal it again
          later with their password.
        </Text>
        <CopyText text={endpoint.secret} what="secret" />
        <Text size="sm">Next, subscribe to companies. Nothing is sent without subscriptions.</Text>
        <Group>
          <ButtonLink
            size="xs"
            to="/webhooks/$endpointId"
            params={{ endpointId: endpoint.id }}
            search={{ tab: 'subscriptions' }}
          >
            Add subscriptions
          </ButtonLink>
          <Button size="xs" variant="default" onClick={onDone}>
            Done
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
