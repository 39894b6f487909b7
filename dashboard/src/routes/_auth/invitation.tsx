import { Alert } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { call } from '../../api/call.ts';
import type { InvitationDetails } from '../../api/calls.gen.ts';
import { AuthCard } from '../../auth/auth-card.tsx';
import { useLinkToken } from '../../auth/link-token.ts';
import { PasswordForm } from '../../auth/password-form.tsx';

export const Route = createFileRoute('/_auth/invitation')({ component: Invitation });

function Invitation(): ReactNode {
  const token = useLinkToken();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data, error } = useQuery({
    queryKey: ['auth-invitation-read', token],
    queryFn: () => call('auth-invitation-read', { body: { token } }, { customerId: null }),
    retry: false,
  });
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
  return (
    <AuthCard title="Accept invitation" lead={data === undefined ? '…' : describe(data)}>
      <PasswordForm
        asksEmail={false}
        label="Join"
        onDone={async ({ password }) => {
          await call('auth-invitation-accept', { body: { token, password } }, { customerId: null });
          client.clear();
          await navigate({ to: '/' });
        }}
      />
    </AuthCard>
  );
}

function describe({ email, role, customerName }: InvitationDetails): string {
  const what = customerName === null ? 'to operate this service' : `to the account ${customerName}`;
  return `${email} is invited ${what} as ${role}. Choose a password to join.`;
}
