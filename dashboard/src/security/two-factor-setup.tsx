import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { SecondFactorSecret } from '../api/calls.gen.ts';
import { useAction } from '../api/use-action.ts';
import { CopyText } from '../ui/controls/copy-text.tsx';
import { QrCode } from './qr-code.tsx';
import { FormError } from '../ui/controls/form-parts.tsx';

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
        <CodeForm onDone={onDone} onCancel={onCancel} />
      </Stack>
    </Group>
  );
}

function CodeForm(props: {
  onDone: (recoveryCodes: readonly string[]) => void;
  onCancel: () => void;
}): ReactNode {
  const { onDone, onCancel } = props;
  const [code, setCode] = useState('');
  const confirm = useAction('second-factor-confirm', {
    refreshes: ['session-read'],
    isQuiet: true,
    onDone: ({ recoveryCodes }) => onDone(recoveryCodes),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        confirm.mutate({ body: { code: code.replaceAll(/\s/g, '') } });
      }}
    >
      <Stack gap="sm">
        <TextInput
          label="2. Enter the code from the app"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          required
          maw={300}
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
        <FormError error={confirm.error} />
        <Group gap="sm">
          <Button type="submit" loading={confirm.isPending}>
            Enable
          </Button>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Splits a secret into groups of four characters, which are easier to type. */
function groupByFour(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, '$1 ');
}
