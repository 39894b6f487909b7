import { Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Account } from '../api/calls.gen.ts';
import { CustomerProvider, useCustomerId } from '../session/customer.ts';
import { AccountStep } from './account-step.tsx';
import { SelectedAccount } from './selected-account.tsx';
import { KeyStep } from './key-step.tsx';
import { NextSteps } from './next-steps.tsx';
import { RequestStep } from './request-step.tsx';
import { Step } from './step.tsx';

/** The onboarding up to the first request. `asksAccount` is for operators, who have no account. */
export function Onboarding({ asksAccount }: { asksAccount: boolean }): ReactNode {
  const ownCustomerId = useCustomerId();
  const [account, setAccount] = useState<Account | null>(null);
  const [key, setKey] = useState<string | null>(null);
  const [isAnswered, setIsAnswered] = useState(false);
  const hasAccount = !asksAccount || account !== null;
  const stepOffset = asksAccount ? 1 : 0;
  return (
    <CustomerProvider value={asksAccount ? (account?.id ?? null) : ownCustomerId}>
      <Stack component="ol" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {asksAccount && (
          <Step number={1} title="Choose an account" state={hasAccount ? 'done' : 'now'}>
            {account === null ? (
              <AccountStep onChosen={setAccount} />
            ) : (
              <SelectedAccount
                account={account}
                onChange={key === null ? () => setAccount(null) : null}
              />
            )}
          </Step>
        )}
        <Step
          number={stepOffset + 1}
          title="Create an API key"
          state={key !== null ? 'done' : hasAccount ? 'now' : 'later'}
        >
          <KeyStep apiKey={key} onCreated={setKey} />
        </Step>
        <Step
          number={stepOffset + 2}
          title="Send your first request"
          state={isAnswered ? 'done' : key === null ? 'later' : 'now'}
        >
          {key !== null && <RequestStep apiKey={key} onSuccess={() => setIsAnswered(true)} />}
        </Step>
      </Stack>
      {isAnswered && <NextSteps customer={account?.id} />}
    </CustomerProvider>
  );
}
