import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { call } from '../../api/call.ts';
import { AuthCard } from '../../auth/auth-card.tsx';
import { PasswordForm } from '../../auth/password-form.tsx';

export const Route = createFileRoute('/_auth/sign-up')({ component: SignUp });

function SignUp(): ReactNode {
  const [name, setName] = useState('');
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <AuthCard title="Create an account" lead="You’ll get an API key in the next step.">
      <PasswordForm
        asksEmail
        label="Create account"
        onDone={async ({ email, password }) => {
          const body = { name, email, password };
          await call('auth-sign-up', { body }, { customerId: null });
          client.clear();
          await navigate({ to: '/' });
        }}
      >
        <TextInput
          label="Account name"
          description="Your company, team or name."
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </PasswordForm>
    </AuthCard>
  );
}
