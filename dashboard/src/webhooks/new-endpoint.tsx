import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { CreatedWebhookEndpoint } from '../api/calls.gen.ts';
import { ButtonLink } from '../ui/controls/links.tsx';
import { CopyText } from '../ui/controls/copy-text.tsx';

/** An endpoint that was just added: its secret, and the step that makes it useful. */
export function NewEndpoint(props: {
  made: CreatedWebhookEndpoint;
  onDone: () => void;
}): ReactNode {
  const { made, onDone } = props;
  return (
    <Alert variant="light" icon={<IconCheck />} title="The endpoint is there">
      <Stack gap="sm">
        <Text size="sm">
          This secret signs what is sent there: put it into your receiver. Owners can show it again
          later with their password.
        </Text>
        <CopyText text={made.secret} what="the secret" />
        <Text size="sm">
          Nothing is sent yet: say next which companies it is told of. An empty list means nothing,
          not everything.
        </Text>
        <Group>
          <ButtonLink
            size="xs"
            to="/webhooks/$endpointId"
            params={{ endpointId: made.id }}
            search={{ tab: 'subscriptions' }}
          >
            Choose companies
          </ButtonLink>
          <Button size="xs" variant="default" onClick={onDone}>
            I have the secret
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
