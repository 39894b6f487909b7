import { Stack, Button, Group, Text, Title, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Account } from '../api/calls.gen.ts';
import { CustomerProvider, useCustomerId } from '../session/customer.ts';
import { AccountStep } from './account-step.tsx';
import { KeyStep } from './key-step.tsx';
import { NextSteps } from './next-steps.tsx';
import { RequestStep } from './request-step.tsx';
import { planSummary } from '../plans/plan-summary.ts';
import { IconCheck } from '@tabler/icons-react';
import styles from './step.module.css';

/**
 * Guides the user to their first request. `asksAccount` is for operators, who have no account of
 * their own.
 */
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

/** Shows the account selected in the first step. */
function SelectedAccount(props: { account: Account; onChange: (() => void) | null }): ReactNode {
  const { account, onChange } = props;
  return (
    <Group gap="sm" justify="space-between">
      <div>
        <Text size="sm" fw={550}>
          {account.name}
        </Text>
        <Text size="sm" c="dimmed">
          Plan {account.plan.name}: {planSummary(account.plan)}
        </Text>
      </div>
      {onChange !== null && (
        <Button variant="subtle" size="xs" onClick={onChange}>
          Change
        </Button>
      )}
    </Group>
  );
}

/** An onboarding step. Later steps stay collapsed. */
function Step(props: {
  number: number;
  title: string;
  state: 'done' | 'now' | 'later';
  children?: ReactNode;
}): ReactNode {
  const { number, title, state, children } = props;
  return (
    <li
      className={styles['step']}
      data-state={state}
      aria-current={state === 'now' ? 'step' : undefined}
    >
      <span className={styles['badge']} aria-hidden>
        {state === 'done' ? <IconCheck size={18} /> : number}
      </span>
      <div className={styles['head']}>
        <Title order={2} fz={17} c={state === 'later' ? 'dimmed' : 'inherit'}>
          {title}
          <VisuallyHidden>{SPOKEN[state]}</VisuallyHidden>
        </Title>
      </div>
      {state !== 'later' && children !== undefined && (
        <div className={styles['body']}>{children}</div>
      )}
    </li>
  );
}

const SPOKEN = { done: ', done', now: ', current', later: ', not started' } as const;
