import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { call } from '../../api/call.ts';
import { AuthCard } from '../../door/door-card.tsx';
import { useLinkToken } from '../../door/link-token.ts';
import { PasswordForm } from '../../door/password-form.tsx';

export const Route = createFileRoute('/_door/set-up')({ component: SetUp });

function SetUp(): ReactNode {
  const handed = useLinkToken();
  const [typed, setTyped] = useState('');
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
          const token = handed === '' ? typed.trim() : handed;
          await call('auth-set-up', { body: { token, email, password } }, { customerId: null });
          client.clear();
          await navigate({ to: '/welcome' });
        }}
      >
        {handed === '' && (
          <TextInput
            label="Setup token"
            description="The service prints it at startup. It is valid for 30 minutes."
            required
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
      </PasswordForm>
    </AuthCard>
  );
}
