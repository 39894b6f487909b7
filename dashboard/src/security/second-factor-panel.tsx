import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { SecondFactorSecret } from '../api/calls.gen.ts';
import { useAct } from '../api/use-act.ts';
import { useSession } from '../session/session.ts';
import { ConfirmButton } from '../ui/controls/confirm-button.tsx';
import { Mark } from '../ui/values/mark.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SecondFactorSetup } from './second-factor-setup.tsx';

/** The code of an app that is asked at sign-in beside the password. */
export function SecondFactorPanel(): ReactNode {
  const { hasSecondFactor } = useSession();
  const [secret, setSecret] = useState<SecondFactorSecret | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const begin = useAct('second-factor-begin', { onDone: setSecret });
  return (
    <Panel
      title="Second factor"
      aside={hasSecondFactor ? <Mark tone="good">on</Mark> : <Mark tone="warn">off</Mark>}
    >
      <Stack gap="md">
        {codes !== null && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
        {hasSecondFactor && <Standing onCodes={setCodes} />}
        {!hasSecondFactor && secret === null && (
          <>
            <Text size="sm" c="dimmed" maw={620}>
              An authenticator app shows a code that changes every thirty seconds. With it, a lost
              or guessed password alone opens nothing.
            </Text>
            <Group>
              <Button loading={begin.isPending} onClick={() => begin.mutate({})}>
                Set it up
              </Button>
            </Group>
          </>
        )}
        {!hasSecondFactor && secret !== null && (
          <SecondFactorSetup
            secret={secret}
            onCancel={() => setSecret(null)}
            onDone={(made) => {
              setSecret(null);
              setCodes(made);
            }}
          />
        )}
      </Stack>
    </Panel>
  );
}

function Standing(props: { onCodes: (codes: readonly string[] | null) => void }): ReactNode {
  const { onCodes } = props;
  const { recoveryCodesLeft } = useSession();
  const refreshes = ['session-read'] as const;
  const renew = useAct('recovery-codes-regenerate', {
    refreshes,
    onDone: ({ recoveryCodes }) => onCodes(recoveryCodes),
  });
  const remove = useAct('second-factor-remove', {
    refreshes,
    says: 'No code is asked any more.',
    onDone: () => onCodes(null),
  });
  return (
    <>
      <Text size="sm">
        A code of your app is asked at sign-in.{' '}
        {recoveryCodesLeft === 0
          ? 'No recovery code is left: make new ones, or a lost device locks you out.'
          : `${recoveryCodesLeft} recovery ${recoveryCodesLeft === 1 ? 'code is' : 'codes are'} left.`}
      </Text>
      <Group gap="sm">
        <ConfirmButton
          label="New recovery codes"
          title="Make new recovery codes?"
          text="The old ones open nothing any more. The new ones are shown once."
          confirmLabel="Make new ones"
          isDanger={false}
          onConfirm={() => renew.mutate({})}
        />
        <ConfirmButton
          label="Remove"
          aria-label="Remove the second factor"
          title="Remove the second factor?"
          text="Only your password is asked at sign-in then, and the recovery codes open nothing any more."
          confirmLabel="Remove it"
          onConfirm={() => remove.mutate({})}
        />
      </Group>
    </>
  );
}
