import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, Link, useRouter } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { call } from '../../api/call.ts';
import { errorMessage } from '../../api/problem.ts';
import { AuthCard } from '../../auth/auth-card.tsx';
import { FormError } from '../../ui/controls/form-parts.tsx';

export const Route = createFileRoute('/_auth/sign-in')({
  // The page to open after sign-in. Only local paths are accepted.
  validateSearch: ({ next }: Record<string, unknown>): { next?: string } =>
    typeof next === 'string' && /^\/(?![/\\])/.test(next) ? { next } : {},
  component: SignIn,
});

const EMPTY = { email: '', password: '', code: '' };

function SignIn(): ReactNode {
  const { next } = Route.useSearch();
  const router = useRouter();
  const client = useQueryClient();
  const [needsCode, setNeedsCode] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({ initialValues: EMPTY });
  const authStatus = useQuery({
    queryKey: ['auth-options-read'],
    queryFn: () => call('auth-options-read', {}, { customerId: null }),
  });

  async function signIn({ email, password, code }: typeof form.values): Promise<void> {
    setProblem(null);
    try {
      const body = needsCode ? { email, password, code: code.trim() } : { email, password };
      const { status } = await call('session-sign-in', { body }, { customerId: null });
      if (status === 'code-required') return setNeedsCode(true);
      client.clear();
      router.history.push(`/dashboard${next ?? '/'}`);
    } catch (error) {
      setProblem(errorMessage(error));
    }
  }

  return (
    <AuthCard title="Sign in">
      {authStatus.data?.isSetUp === false && (
        <Alert variant="light" title="Setup required">
          Open the setup link that the service printed at startup.
        </Alert>
      )}
      <form onSubmit={form.onSubmit((values) => void signIn(values))}>
        <Stack gap="md">
          <FormError error={problem} />
          <Credentials form={form} needsCode={needsCode} />
          <Button type="submit" fullWidth loading={form.submitting}>
            {needsCode ? 'Verify' : 'Sign in'}
          </Button>
        </Stack>
      </form>
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

function Credentials(props: {
  form: UseFormReturnType<typeof EMPTY>;
  needsCode: boolean;
}): ReactNode {
  const { form, needsCode } = props;
  return (
    <>
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        required
        disabled={needsCode}
        {...form.getInputProps('email')}
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        required
        disabled={needsCode}
        {...form.getInputProps('password')}
      />
      {needsCode && (
        <TextInput
          label="Code"
          description="The 6-digit code from your authenticator app, or a recovery code."
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          ref={takeFocus}
          {...form.getInputProps('code')}
        />
      )}
    </>
  );
}

/** Moves the focus to the code field, because the other fields are now disabled. */
function takeFocus(field: HTMLInputElement | null): void {
  field?.focus();
}
