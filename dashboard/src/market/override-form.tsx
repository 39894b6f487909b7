import { Input, SegmentedControl, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { emptyDraft, KINDS, type OverrideDraft, defaultTime } from './override-draft.ts';
import { DialogButtons } from '../ui/controls/form-parts.tsx';

/** The first step, for entering the change and the reason that customers see. */
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
        <KindFields form={form} />
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
        <DialogButtons submitLabel="Review" onCancel={onCancel} />
      </Stack>
    </form>
  );
}

/** Selects the kind of change, and its time unless the day is closed. */
function KindFields({ form }: { form: UseFormReturnType<OverrideDraft> }): ReactNode {
  const { kind } = form.values;

  function choose(next: string): void {
    const selected = KINDS.find(({ value }) => value === next)?.value ?? 'closed';
    form.setValues({ kind: selected, time: defaultTime(selected) });
  }

  return (
    <>
      <Input.Wrapper label="Change" labelElement="div">
        <div>
          <SegmentedControl
            mt={4}
            aria-label="Change"
            data={[...KINDS]}
            value={kind}
            onChange={choose}
          />
        </div>
      </Input.Wrapper>
      {kind !== 'closed' && (
        <TextInput
          label={kind === 'late-open' ? 'Opens at' : 'Closes at'}
          description="New York time"
          type="time"
          maw={220}
          required
          {...form.getInputProps('time')}
        />
      )}
    </>
  );
}
