import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { ApiProblem, sayProblem } from '../api/problem.ts';
import { useAct } from '../api/use-act.ts';
import { useSession } from '../session/session.ts';
import { Panel } from '../ui/page/panel.tsx';

const LENGTH_MIN = 15;
const EMPTY = { current: '', next: '' };

/** Changes one's own password; every other session ends. */
export function PasswordPanel(): ReactNode {
  const { email } = useSession();
  const form = useForm({
    initialValues: EMPTY,
    validate: {
      next: (next) =>
        next.length < LENGTH_MIN ? `A password has ${LENGTH_MIN} characters at least.` : null,
    },
  });
  const change = useAct('password-change', {
    refreshes: ['sessions-list', 'session-read'],
    isQuiet: true,
    says: 'The password is changed. All other sessions are ended.',
    onDone: () => form.reset(),
  });

  function showProblem(error: Error): void {
    const isCurrent = error instanceof ApiProblem && error.parameter === 'current';
    form.setFieldError(isCurrent ? 'current' : 'next', sayProblem(error));
  }

  return (
    <Panel title="Password">
      <form onSubmit={form.onSubmit((body) => change.mutate({ body }, { onError: showProblem }))}>
        <Stack gap="md" maw={420}>
          {/* For managers of passwords: whose it is. */}
          <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
          <PasswordInput
            label="Password now"
            autoComplete="current-password"
            required
            {...form.getInputProps('current')}
          />
          <PasswordInput
            label="New password"
            description={`${LENGTH_MIN} characters at least; a few words together do well.`}
            autoComplete="new-password"
            required
            {...form.getInputProps('next')}
          />
          <Group gap="md">
            <Button type="submit" loading={change.isPending}>
              Change the password
            </Button>
            <Text size="sm" c="dimmed">
              All your other sessions end.
            </Text>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
