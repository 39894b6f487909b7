import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, Link, useRouter } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { call } from '../../api/call.ts';
import { sayProblem } from '../../api/problem.ts';
import { DoorCard } from '../../door/door-card.tsx';

export const Route = createFileRoute('/_door/sign-in')({
  // Where to go on to: a path of these pages and nothing else.
  validateSearch: ({ next }: Record<string, unknown>): { next?: string } =>
    typeof next === 'string' && /^\/(?![/\\])/.test(next) ? { next } : {},
  component: SignIn,
});

function SignIn(): ReactNode {
  const { next } = Route.useSearch();
  const router = useRouter();
  const client = useQueryClient();
  const [needsCode, setNeedsCode] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({ initialValues: { email: '', password: '', code: '' } });
  const entrance = useQuery({
    queryKey: ['auth-options-read'],
    queryFn: () => call('auth-options-read', {}, { customerId: null }),
  });

  async function enter({ email, password, code }: typeof form.values): Promise<void> {
    setProblem(null);
    try {
      const body = needsCode ? { email, password, code: code.trim() } : { email, password };
      const { status } = await call('session-sign-in', { body }, { customerId: null });
      if (status === 'code-required') return setNeedsCode(true);
      client.clear();
      router.history.push(`/dashboard${next ?? '/'}`);
    } catch (error) {
      setProblem(sayProblem(error));
    }
  }

  return (
    <DoorCard title="Sign in">
      {entrance.data?.isSetUp === false && (
        <Alert variant="light" title="Nobody has an account yet">
          The service printed a set-up address when it started: open that one.
        </Alert>
      )}
      <form onSubmit={form.onSubmit((values) => void enter(values))}>
        <Stack gap="md">
          {problem !== null && (
            <Alert color="red" variant="light" role="alert">
              {problem}
            </Alert>
          )}
          <TextInput
            label="E-mail"
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
              description="Six digits of your authenticator app, or one of your recovery codes."
              autoComplete="one-time-code"
              inputMode="numeric"
              required
              ref={takeFocus}
              {...form.getInputProps('code')}
            />
          )}
          <Button type="submit" fullWidth loading={form.submitting}>
            {needsCode ? 'Confirm' : 'Sign in'}
          </Button>
        </Stack>
      </form>
      {entrance.data?.canSignUp === true && (
        <Text size="sm" ta="center">
          No account?{' '}
          <Anchor component={Link} to="/sign-up" size="sm">
            Make one
          </Anchor>
        </Text>
      )}
    </DoorCard>
  );
}

/** The fields before it are closed by then, and with them the focus would be lost. */
function takeFocus(field: HTMLInputElement | null): void {
  field?.focus();
}
