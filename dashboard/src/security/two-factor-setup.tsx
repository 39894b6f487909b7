import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { SecondFactorSecret } from '../api/calls.gen.ts';
import { useAction } from '../api/use-action.ts';
import { CopyText } from '../ui/controls/copy-text.tsx';
import { CodeForm } from './code-form.tsx';
import { QrCode } from './qr-code.tsx';

/**
 * Shows the secret and asks for a code to confirm it. Two-factor authentication stays disabled
 * until then.
 */
export function TwoFactorSetup(props: {
  secret: SecondFactorSecret;
  onDone: (recoveryCodes: readonly string[]) => void;
  onCancel: () => void;
}): ReactNode {
  const { secret, onDone, onCancel } = props;
  const confirm = useAction('second-factor-confirm', {
    refreshes: ['session-read'],
    isQuiet: true,
    onDone: ({ recoveryCodes }) => onDone(recoveryCodes),
  });
  return (
    <Group gap="xl" align="flex-start">
      <QrCode
        text={secret.address}
        label="QR code for an authenticator app; the secret is also shown as text"
      />
      <Stack gap="md" maw={440} miw={0} flex={1}>
        <div>
          <Text size="sm" mb={6}>
            1. Scan the QR code with your authenticator app, or enter this secret:
          </Text>
          <CopyText text={groupByFour(secret.secret)} what="secret" />
        </div>
        <CodeForm
          label="2. Enter the code from the app"
          confirmLabel="Enable"
          isNumeric
          isPending={confirm.isPending}
          error={confirm.error}
          onSubmit={(code) => confirm.mutate({ body: { code } })}
          onCancel={onCancel}
        />
      </Stack>
    </Group>
  );
}

/** Splits a secret into groups of four characters, which are easier to type. */
function groupByFour(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, '$1 ');
}
