import { Alert, Button, SegmentedControl, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { call } from '../../api/call.ts';
import type { InvitationDetails } from '../../api/calls.gen.ts';
import { errorMessage } from '../../api/problem.ts';
import { AuthCard } from '../../auth/auth-card.tsx';
import { useLinkToken } from '../../auth/link-token.ts';
import { PasswordForm } from '../../auth/password-form.tsx';
import { SignInForm } from '../../auth/sign-in-form.tsx';
import { sessionQuery } from '../../session/session.ts';
import { FormError } from '../../ui/controls/form-parts.tsx';

export const Route = createFileRoute('/_auth/invitation')({ component: Invitation });

function Invitation(): ReactNode {
  const token = useLinkToken();
  const { data, error } = useQuery({
    queryKey: ['auth-invitation-read', token],
    queryFn: () => call('auth-invitation-read', { body: { token } }, { customerId: null }),
    retry: false,
  });
  const session = useQuery(sessionQuery);
  if (error !== null) {
    return (
      <AuthCard title="Invalid link">
        <Alert color="red" variant="light">
          {error.message} Ask for a new invitation. Links can be used once and expire after seven
          days.
        </Alert>
      </AuthCard>
    );
  }
  const isLoaded = data !== undefined && !session.isPending;
  const ownEmail = session.data?.email.toLowerCase();
  return (
    <AuthCard title="Accept invitation" lead={data === undefined ? '…' : describe(data)}>
      {isLoaded &&
        (ownEmail === data.email.toLowerCase() ? (
          <JoinButton token={token} email={data.email} />
        ) : (
          <JoinForms token={token} email={data.email} />
        ))}
    </AuthCard>
  );
}

function describe({ email, role, customerName }: InvitationDetails): string {
  const what = customerName === null ? 'to operate this service' : `to the account ${customerName}`;
  return `${email} is invited ${what} as ${role}.`;
}

/** Joins with the account that is signed in. */
function JoinButton({ token, email }: { token: string; email: string }): ReactNode {
  const { join } = useInvitation(token);
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <Stack gap="md">
      <FormError error={problem} />
      <Button
        fullWidth
        onClick={() => void join().catch((error: unknown) => setProblem(errorMessage(error)))}
      >
        Join as {email}
      </Button>
    </Stack>
  );
}

/**
 * Offers both ways to join. The page doesn’t know whether the address has an account, so that an
 * invitation doesn’t disclose it.
 */
function JoinForms({ token, email }: { token: string; email: string }): ReactNode {
  const { join, accept } = useInvitation(token);
  const [way, setWay] = useState('new');
  return (
    <Stack gap="md">
      <SegmentedControl
        fullWidth
        aria-label="How to join"
        value={way}
        onChange={setWay}
        data={[
          { value: 'new', label: 'Create an account' },
          { value: 'existing', label: 'I have an account' },
        ]}
      />
      {way === 'new' ? (
        <PasswordForm asksEmail={false} label="Join" onDone={({ password }) => accept(password)} />
      ) : (
        <SignInForm email={email} label="Sign in and join" onDone={join} />
      )}
    </Stack>
  );
}

function useInvitation(token: string) {
  const client = useQueryClient();
  const navigate = useNavigate();
  async function open(): Promise<void> {
    client.clear();
    await navigate({ to: '/' });
  }
  return {
    /** Joins with a new account. */
    async accept(password: string): Promise<void> {
      await call('auth-invitation-accept', { body: { token, password } }, { customerId: null });
      await open();
    },
    /** Joins with the account that is signed in. */
    async join(): Promise<void> {
      await call('auth-invitation-join', { body: { token } }, { customerId: null });
      await open();
    },
  };
}
