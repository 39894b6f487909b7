import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { SecondFactorSecret } from '../api/calls.gen.ts';
import { useAction } from '../api/use-action.ts';
import { useSession } from '../session/session.ts';
import { ConfirmButton } from '../ui/controls/confirm-button.tsx';
import { StatusBadge } from '../ui/values/status-badge.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { TwoFactorRemoval } from './two-factor-removal.tsx';
import { TwoFactorSetup } from './two-factor-setup.tsx';

/** Manages two-factor authentication with an authenticator app. */
export function TwoFactorPanel(): ReactNode {
  const { hasSecondFactor, mustAddSecondFactor } = useSession();
  const [secret, setSecret] = useState<SecondFactorSecret | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const begin = useAction('second-factor-begin', { onDone: setSecret });
  return (
    <Panel
      title="Two-factor authentication"
      aside={
        hasSecondFactor ? (
          <StatusBadge tone="good">on</StatusBadge>
        ) : (
          <StatusBadge tone="warn">off</StatusBadge>
        )
      }
    >
      <Stack gap="md">
        {codes !== null && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
        {hasSecondFactor && <EnabledSettings onCodes={setCodes} />}
        {!hasSecondFactor && secret === null && (
          <>
            <Text size="sm" c="dimmed" maw={620}>
              {mustAddSecondFactor
                ? 'This service requires two-factor authentication. Set it up to continue.'
                : 'Protect your account with a code from an authenticator app in addition to your password.'}
            </Text>
            <Group>
              <Button loading={begin.isPending} onClick={() => begin.mutate({})}>
                Set up
              </Button>
            </Group>
          </>
        )}
        {!hasSecondFactor && secret !== null && (
          <TwoFactorSetup
            secret={secret}
            onCancel={() => setSecret(null)}
            onDone={(newCodes) => {
              setSecret(null);
              setCodes(newCodes);
            }}
          />
        )}
      </Stack>
    </Panel>
  );
}

function EnabledSettings(props: { onCodes: (codes: readonly string[] | null) => void }): ReactNode {
  const { onCodes } = props;
  const { recoveryCodesLeft } = useSession();
  const refreshes = ['session-read'] as const;
  const renew = useAction('recovery-codes-regenerate', {
    refreshes,
    onDone: ({ recoveryCodes }) => onCodes(recoveryCodes),
  });
  const [isRemoving, setRemoving] = useState(false);
  return (
    <>
      <Text size="sm">
        You need a code from your authenticator app to sign in.{' '}
        {recoveryCodesLeft === 0
          ? 'You have no recovery codes left. Generate new ones so that you don’t lose access with your device.'
          : `${recoveryCodesLeft} recovery ${recoveryCodesLeft === 1 ? 'code' : 'codes'} left.`}
      </Text>
      <Group gap="sm">
        <ConfirmButton
          label="New recovery codes"
          title="Generate new recovery codes?"
          text="Your old recovery codes stop working. The new ones are shown once."
          confirmLabel="Generate"
          isDanger={false}
          onConfirm={() => renew.mutate({})}
        />
        <Button
          variant="default"
          aria-label="Disable two-factor authentication"
          onClick={() => setRemoving(true)}
        >
          Disable
        </Button>
      </Group>
      {isRemoving && (
        <TwoFactorRemoval onDone={() => onCodes(null)} onCancel={() => setRemoving(false)} />
      )}
    </>
  );
}
