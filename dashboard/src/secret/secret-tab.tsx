import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WebhookEndpoint } from '../api/calls.gen.ts';
import { useSession } from '../session/session.ts';
import { Panel } from '../ui/page/panel.tsx';
import { RevealSecrets } from './reveal-secrets.tsx';
import { RotateSecret } from './rotate-secret.tsx';
import { SignatureHelper } from './signature/signature-helper.tsx';
import { CodeTabs } from './code-tabs.tsx';
import { HEADERS } from './header-names.ts';
import { verifyInPython, verifyInTypescript } from './samples.ts';

/** Reveals and rotates an endpoint's secret. */
export function SecretTab({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const { role } = useSession();
  if (role === 'member') {
    return (
      <Panel title="Signing secret">
        <Text size="sm">
          Only account owners can view and rotate the secret. Ask an owner if you need it.
        </Text>
      </Panel>
    );
  }
  return (
    <Stack gap="lg">
      <Panel title="Signing secret">
        <RevealSecrets endpointId={endpoint.id} />
      </Panel>
      <Panel title="Rotate secret">
        <RotateSecret endpoint={endpoint} />
      </Panel>
    </Stack>
  );
}

/** Shows the code samples for verifying signatures, and the signature helper. */
export function VerifyTab({ endpointId }: { endpointId: string }): ReactNode {
  return (
    <Stack gap="lg">
      <Panel title="Verify signatures">
        <VerifyCode />
      </Panel>
      <Panel title="Signature helper">
        <SignatureHelper endpointId={endpointId} />
      </Panel>
    </Stack>
  );
}

/** Explains how to verify the signature, with code samples. */
function VerifyCode(): ReactNode {
  return (
    <>
      <Text size="sm" mb="sm">
        <b>{HEADERS.signature}</b> is <code>sha256=</code> followed by the hexadecimal HMAC-SHA256
        of <b>{HEADERS.timestamp}</b> and the raw body, concatenated. The key is the full secret,
        including <code>whsec_</code>. If the signature doesn’t match, respond with 401.
      </Text>
      <CodeTabs
        what="signature check"
        typescript={verifyInTypescript(HEADERS)}
        python={verifyInPython(HEADERS)}
      />
    </>
  );
}
