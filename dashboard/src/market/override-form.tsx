import { Button, Group, Input, SegmentedControl, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { emptyDraft, KINDS, type OverrideDraft, defaultTime } from './override-draft.ts';

/** The first step: the change and the reason that customers see. */
export function OverrideForm(props: {
  date: string;
  draft: OverrideDraft | null;
  onCancel: () => void;
  onReview: (draft: OverrideDraft) => void;
}): ReactNode {
  const { date, draft, onCancel, onReview } = props;
  const form = useForm<OverrideDraft>({
    initialValues: draft ?? emptyDraft(date),
    validate: {
      date: (value) => (value === '' ? 'Choose a date.' : null),
      reason: (value) => (value.trim() === '' ? 'Enter a reason.' : null),
      time: (value, { kind }) => (kind !== 'closed' && value === '' ? 'Enter a time.' : null),
    },
  });

  function choose(kind: string): void {
    const selected = KINDS.find(({ value }) => value === kind)?.value ?? 'closed';
    form.setValues({ kind: selected, time: defaultTime(selected) });
  }

  return (
    <form onSubmit={form.onSubmit(onReview)} noValidate>
      <Stack gap="md">
        <TextInput
          label="Date"
          type="date"
          maw={220}
          required
          data-autofocus
          {...form.getInputProps('date')}
        />
        <Input.Wrapper label="Change" labelElement="div">
          <div>
            <SegmentedControl
              mt={4}
              aria-label="Change"
              data={[...KINDS]}
              value={form.values.kind}
              onChange={choose}
            />
          </div>
        </Input.Wrapper>
        {form.values.kind !== 'closed' && (
          <TextInput
            label={form.values.kind === 'late-open' ? 'Opens at' : 'Closes at'}
            description="New York time"
            type="time"
            maw={220}
            required
            {...form.getInputProps('time')}
          />
        )}
        <TextInput
          label="Reason"
          description="Visible to customers, for example “National day of mourning”."
          maxLength={200}
          required
          {...form.getInputProps('reason')}
        />
        <Textarea
          label="Note"
          description="Visible to operators only, for example the announcement’s source."
          maxLength={2_000}
          autosize
          minRows={2}
          {...form.getInputProps('note')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit">Review</Button>
        </Group>
      </Stack>
    </form>
  );
}
