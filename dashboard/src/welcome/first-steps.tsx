import { Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Account } from '../api/calls.gen.ts';
import { CustomerProvider, useCustomerId } from '../session/customer.ts';
import { AccountStep } from './account-step.tsx';
import { ChosenAccount } from './chosen-account.tsx';
import { KeyStep } from './key-step.tsx';
import { NextPlaces } from './next-places.tsx';
import { RequestStep } from './request-step.tsx';
import { Step } from './step.tsx';

/** The onboarding up to the first request. `asksAccount` is for operators, who have no account. */
export function FirstSteps({ asksAccount }: { asksAccount: boolean }): ReactNode {
  const own = useCustomerId();
  const [account, setAccount] = useState<Account | null>(null);
  const [key, setKey] = useState<string | null>(null);
  const [isAnswered, setIsAnswered] = useState(false);
  const hasAccount = !asksAccount || account !== null;
  const before = asksAccount ? 1 : 0;
  return (
    <CustomerProvider value={asksAccount ? (account?.id ?? null) : own}>
      <Stack component="ol" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {asksAccount && (
          <Step number={1} title="Choose an account" state={hasAccount ? 'done' : 'now'}>
            {account === null ? (
              <AccountStep onChosen={setAccount} />
            ) : (
              <ChosenAccount
                account={account}
                onOther={key === null ? () => setAccount(null) : null}
              />
            )}
          </Step>
        )}
        <Step
          number={before + 1}
          title="Create an API key"
          state={key !== null ? 'done' : hasAccount ? 'now' : 'later'}
        >
          <KeyStep made={key} onMade={setKey} />
        </Step>
        <Step
          number={before + 2}
          title="Send your first request"
          state={isAnswered ? 'done' : key === null ? 'later' : 'now'}
        >
          {key !== null && <RequestStep apiKey={key} onAnswered={() => setIsAnswered(true)} />}
        </Step>
      </Stack>
      {isAnswered && <NextPlaces customer={account?.id} />}
    </CustomerProvider>
  );
}
