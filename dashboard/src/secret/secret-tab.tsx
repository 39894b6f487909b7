import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WebhookEndpoint } from '../api/calls.gen.ts';
import { useSession } from '../session/session.ts';
import { Panel } from '../ui/page/panel.tsx';
import { RevealSecrets } from './reveal-secrets.tsx';
import { RotateSecret } from './rotate-secret.tsx';
import { SignatureHelper } from './signature/signature-helper.tsx';
import { VerifyCode } from './verify-code.tsx';

/** The secret of an endpoint: shown, changed. */
export function SecretTab({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const { role } = useSession();
  if (role === 'member') {
    return (
      <Panel title="The secret">
        <Text size="sm">
          Owners of the account can show and change it. Ask one of them when your receiver needs it.
        </Text>
      </Panel>
    );
  }
  return (
    <Stack gap="lg">
      <Panel title="The secret">
        <RevealSecrets endpointId={endpoint.id} />
      </Panel>
      <Panel title="Change it without losing a delivery">
        <RotateSecret endpoint={endpoint} />
      </Panel>
    </Stack>
  );
}

/** How a receiver checks what comes, and why it may not match. */
export function VerifyTab({ endpointId }: { endpointId: string }): ReactNode {
  return (
    <Stack gap="lg">
      <Panel title="Check the signature">
        <VerifyCode />
      </Panel>
      <Panel title="Why does it not match?">
        <SignatureHelper endpointId={endpointId} />
      </Panel>
    </Stack>
  );
}
