import { Alert, Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import type { Source } from '../api/calls.gen.ts';
import { sayProblem } from '../api/problem.ts';
import { useAct } from '../api/use-act.ts';
import { formatCount } from '../format/number.ts';

const EMPTY = { from: '', to: '', again: false };

/** Asks a source for days gone by. */
export function BackfillDialog(props: {
  of: Source;
  isOpen: boolean;
  onClose: () => void;
}): ReactNode {
  const { of: source, isOpen, onClose } = props;
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({
    initialValues: EMPTY,
    validate: {
      from: (from) => (from === '' ? 'From which day on?' : null),
      to: (to, { from }) => (to !== '' && to < from ? 'It lies before the first day.' : null),
    },
  });
  const add = useAct('backfills-create', {
    refreshes: ['backfills-list'],
    isQuiet: true,
    onDone: close,
  });

  function close(): void {
    setProblem(null);
    form.reset();
    onClose();
  }

  function submit({ from, to, again }: typeof EMPTY): void {
    setProblem(null);
    const body = { provider: source.name, from, again, ...(to === '' ? {} : { to }) };
    add.mutate({ body }, { onError: (error) => setProblem(sayProblem(error)) });
  }

  return (
    <Modal opened={isOpen} onClose={close} title={`Back-fill from ${source.title}`} size="lg">
      <form onSubmit={form.onSubmit(submit)} noValidate>
        <Stack gap="md">
          {problem !== null && (
            <Alert color="red" variant="light" role="alert" title="Not begun">
              {problem}
            </Alert>
          )}
          <Text size="sm">
            The source is asked for these days in idle time, the newest first, at its own pace. What
            is in the store is not asked again. It goes on after a restart.
          </Text>
          <Group grow align="flex-start">
            <TextInput
              label="First day"
              description="New York"
              type="date"
              required
              data-autofocus
              {...form.getInputProps('from')}
            />
            <TextInput
              label="Last day"
              description="Empty: yesterday"
              type="date"
              {...form.getInputProps('to')}
            />
          </Group>
          <SpanNote {...form.values} />
          <Checkbox
            label="Ask again for what is in the store"
            description="For days that the source has corrected since."
            {...form.getInputProps('again', { type: 'checkbox' })}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={add.isPending}>
              Begin
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** How many days it is about, so that a slip of a year is seen. */
function SpanNote({ from, to }: { from: string; to: string }): ReactNode {
  if (from === '' || to === '' || to < from) return null;
  const days = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
  return (
    <Text size="sm" c="dimmed">
      {formatCount(days)} {days === 1 ? 'day' : 'days'}.
    </Text>
  );
}
