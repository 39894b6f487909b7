import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { ApiProblem, errorMessage } from '../api/problem.ts';
import { useAction } from '../api/use-action.ts';
import { useSession } from '../session/session.ts';
import { Panel } from '../ui/page/panel.tsx';

const LENGTH_MIN = 15;
const EMPTY = { current: '', next: '' };

/** Changes the user's password, which ends all other sessions. */
export function PasswordPanel(): ReactNode {
  const { email } = useSession();
  const form = useForm({
    initialValues: EMPTY,
    validate: {
      next: (next) => (next.length < LENGTH_MIN ? `Use at least ${LENGTH_MIN} characters.` : null),
    },
  });
  const change = useAction('password-change', {
    refreshes: ['sessions-list', 'session-read'],
    isQuiet: true,
    successMessage: 'Password changed. All other sessions have ended.',
    onDone: () => form.reset(),
  });

  function showProblem(error: Error): void {
    const isCurrent = error instanceof ApiProblem && error.parameter === 'current';
    form.setFieldError(isCurrent ? 'current' : 'next', errorMessage(error));
  }

  return (
    <Panel title="Password">
      <form onSubmit={form.onSubmit((body) => change.mutate({ body }, { onError: showProblem }))}>
        <Stack gap="md" maw={420}>
          {/* Tells password managers which account the password belongs to. */}
          <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            required
            {...form.getInputProps('current')}
          />
          <PasswordInput
            label="New password"
            description={`At least ${LENGTH_MIN} characters. A few random words are easy to remember.`}
            autoComplete="new-password"
            required
            {...form.getInputProps('next')}
          />
          <Group gap="md">
            <Button type="submit" loading={change.isPending}>
              Change password
            </Button>
            <Text size="sm" c="dimmed">
              This ends all of your other sessions.
            </Text>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
