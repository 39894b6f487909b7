import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { call } from '../../api/call.ts';
import { AuthCard } from '../../auth/auth-card.tsx';
import { useLinkToken } from '../../auth/link-token.ts';
import { PasswordForm } from '../../auth/password-form.tsx';

export const Route = createFileRoute('/_auth/set-up')({ component: SetUp });

function SetUp(): ReactNode {
  const linkToken = useLinkToken();
  const [enteredToken, setEnteredToken] = useState('');
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <AuthCard
      title="Set up your service"
      lead="Create the first operator account. Nothing leaves this machine."
    >
      <PasswordForm
        asksEmail
        label="Set up"
        onDone={async ({ email, password }) => {
          const token = linkToken === '' ? enteredToken.trim() : linkToken;
          await call('auth-set-up', { body: { token, email, password } }, { customerId: null });
          client.clear();
          await navigate({ to: '/welcome' });
        }}
      >
        {linkToken === '' && (
          <TextInput
            label="Setup token"
            description="The service prints it at startup. It is valid for 30 minutes."
            required
            value={enteredToken}
            onChange={(event) => setEnteredToken(event.currentTarget.value)}
          />
        )}
      </PasswordForm>
    </AuthCard>
  );
}
