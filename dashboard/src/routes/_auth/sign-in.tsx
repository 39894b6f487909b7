import { Alert, Anchor, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, Link, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { call } from '../../api/call.ts';
import { AuthCard } from '../../auth/auth-card.tsx';
import { SignInForm } from '../../auth/sign-in-form.tsx';

export const Route = createFileRoute('/_auth/sign-in')({
  // The page to open after sign-in. Only local paths are accepted.
  validateSearch: ({ next }: Record<string, unknown>): { next?: string } =>
    typeof next === 'string' && /^\/(?![/\\])/.test(next) ? { next } : {},
  component: SignIn,
});

function SignIn(): ReactNode {
  const { next } = Route.useSearch();
  const router = useRouter();
  const client = useQueryClient();
  const authStatus = useQuery({
    queryKey: ['auth-options-read'],
    queryFn: () => call('auth-options-read', {}, { customerId: null }),
  });
  return (
    <AuthCard title="Sign in">
      {authStatus.data?.isSetUp === false && (
        <Alert variant="light" title="Setup required">
          Open the setup link that the service printed at startup.
        </Alert>
      )}
      <SignInForm
        label="Sign in"
        onDone={() => {
          client.clear();
          router.history.push(`/dashboard${next ?? '/'}`);
        }}
      />
      {authStatus.data?.canSignUp === true && (
        <Text size="sm" ta="center">
          Don’t have an account?{' '}
          <Anchor component={Link} to="/sign-up" size="sm">
            Sign up
          </Anchor>
        </Text>
      )}
    </AuthCard>
  );
}
