import { Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import type { Source } from '../api/calls.gen.ts';
import { errorMessage } from '../api/problem.ts';
import { useAction } from '../api/use-action.ts';
import { formatCount } from '../format/number.ts';
import { DialogButtons, FormError } from '../ui/controls/form-parts.tsx';

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
          <FormError error={problem} title="Backfill not started" />
          <Text size="sm">
            The backfill runs in the background, newest days first, within the source’s rate limit.
            Stored responses are not requested again. It resumes after a restart.
          </Text>
          <RangeFields form={form} />
          <Checkbox
            label="Refetch stored responses"
            description="For days that the source has corrected."
            {...form.getInputProps('again', { type: 'checkbox' })}
          />
          <DialogButtons submitLabel="Start backfill" onCancel={close} loading={add.isPending} />
        </Stack>
      </form>
    </Modal>
  );
}

function RangeFields({ form }: { form: UseFormReturnType<typeof EMPTY> }): ReactNode {
  return (
    <>
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
    </>
  );
}

/** Shows the number of days, so that a wrong year is easy to notice. */
function RangeNote({ from, to }: { from: string; to: string }): ReactNode {
  if (from === '' || to === '' || to < from) return null;
  const days = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
  return (
    <Text size="sm" c="dimmed">
      {formatCount(days)} {days === 1 ? 'day' : 'days'}.
    </Text>
  );
}
