import { Button, Group, Stack, Text } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { WebhookSecret } from '../api/calls.gen.ts';
import { useAction } from '../api/use-action.ts';
import { CopyText } from '../ui/controls/copy-text.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { HEADERS } from './header-names.ts';

const ROLES: Readonly<Record<WebhookSecret['role'], { name: string; signs: string }>> = {
  current: { name: 'Current secret', signs: HEADERS.signature },
  next: { name: 'Next secret', signs: HEADERS.next },
  previous: { name: 'Previous secret', signs: HEADERS.previous },
};

/** Shows an endpoint's secrets, which are hidden until the user confirms their password. */
export function RevealSecrets({ endpointId }: { endpointId: string }): ReactNode {
  const [secrets, setSecrets] = useState<readonly WebhookSecret[] | null>(null);
  const reveal = useAction('webhook-secrets-reveal', { onDone: setSecrets });
  if (secrets === null) {
    return (
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          The secret signs every delivery. To reveal it, confirm your password. The audit log
          records it.
        </Text>
        <Group gap="sm">
          <Text ff="monospace" size="sm" aria-label="The secret is hidden">
            whsec_••••••••••••••••
          </Text>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconEye size={15} />}
            loading={reveal.isPending}
            onClick={() => reveal.mutate({ path: { endpointId } })}
          >
            Reveal secret
          </Button>
        </Group>
      </Stack>
    );
  }
  return (
    <Stack gap="md">
      {secrets.map(({ role, secret, createdAt, expiresAt }) => (
        <div key={role}>
          <Text size="sm" mb={4} component="div">
            <b>{ROLES[role].name}</b>, used for {ROLES[role].signs}. Created{' '}
            <RelativeTime at={createdAt} />
            {expiresAt !== null && (
              <>
                , expires <RelativeTime at={expiresAt} />
              </>
            )}
            .
          </Text>
          <CopyText text={secret} what={ROLES[role].name.toLowerCase()} />
        </div>
      ))}
      <Group>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconEyeOff size={15} />}
          onClick={() => setSecrets(null)}
        >
          Hide
        </Button>
      </Group>
    </Stack>
  );
}
