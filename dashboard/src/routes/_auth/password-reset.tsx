import { notifications } from '@mantine/notifications';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { call } from '../../api/call.ts';
import { AuthCard } from '../../auth/auth-card.tsx';
import { useLinkToken } from '../../auth/link-token.ts';
import { PasswordForm } from '../../auth/password-form.tsx';

export const Route = createFileRoute('/_auth/password-reset')({ component: PasswordReset });

function PasswordReset(): ReactNode {
  const token = useLinkToken();
  const navigate = useNavigate();
  return (
    <AuthCard title="Choose a new password" lead="This ends all of your sessions.">
      <PasswordForm
        asksEmail={false}
        label="Save password"
        onDone={async ({ password }) => {
          await call('auth-reset-password', { body: { token, password } }, { customerId: null });
          notifications.show({ message: 'Password saved. Sign in with your new password.' });
          await navigate({ to: '/sign-in' });
        }}
      />
    </AuthCard>
  );
}
