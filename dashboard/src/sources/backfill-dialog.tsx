import { Alert, Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import type { Source } from '../api/calls.gen.ts';
import { errorMessage } from '../api/problem.ts';
import { useAction } from '../api/use-action.ts';
import { formatCount } from '../format/number.ts';

const EMPTY = { from: '', to: '', again: false };

/** Starts a backfill from a source. */
export function BackfillDialog(props: {
  source: Source;
  isOpen: boolean;
  onClose: () => void;
}): ReactNode {
  const { source, isOpen, onClose } = props;
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({
    initialValues: EMPTY,
    validate: {
      from: (from) => (from === '' ? 'Choose a date.' : null),
      to: (to, { from }) =>
        to !== '' && to < from ? 'The end date is before the start date.' : null,
    },
  });
  const add = useAction('backfills-create', {
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
    add.mutate({ body }, { onError: (error) => setProblem(errorMessage(error)) });
  }

  return (
    <Modal opened={isOpen} onClose={close} title={`Backfill from ${source.title}`} size="lg">
      <form onSubmit={form.onSubmit(submit)} noValidate>
        <Stack gap="md">
          {problem !== null && (
            <Alert color="red" variant="light" role="alert" title="Backfill not started">
              {problem}
            </Alert>
          )}
          <Text size="sm">
            The backfill runs in the background, newest days first, within the source’s rate limit.
            Stored responses are not requested again. It resumes after a restart.
          </Text>
          <Group grow align="flex-start">
            <TextInput
              label="Start date"
              description="New York time"
              type="date"
              required
              data-autofocus
              {...form.getInputProps('from')}
            />
            <TextInput
              label="End date"
              description="Default: yesterday"
              type="date"
              {...form.getInputProps('to')}
            />
          </Group>
          <RangeNote {...form.values} />
          <Checkbox
            label="Refetch stored responses"
            description="For days that the source has corrected."
            {...form.getInputProps('again', { type: 'checkbox' })}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={add.isPending}>
              Start backfill
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** Shows the number of days, so that a wrong year stands out. */
function RangeNote({ from, to }: { from: string; to: string }): ReactNode {
  if (from === '' || to === '' || to < from) return null;
  const days = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
  return (
    <Text size="sm" c="dimmed">
      {formatCount(days)} {days === 1 ? 'day' : 'days'}.
    </Text>
  );
}
