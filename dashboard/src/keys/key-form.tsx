import { Checkbox, Modal, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { ApiProblem, errorMessage } from '../api/problem.ts';
import { useAction } from '../api/use-action.ts';
import { DialogButtons, FormError } from '../ui/controls/form-parts.tsx';

const EMPTY = { name: '', read: true, manage: false, cidrs: '', expiry: 'never' };

interface KeyFormProps {
  isOpen: boolean;
  onClose: () => void;
  onCreated: (key: string) => void;
}

/** Creates an API key with scopes, allowed IP addresses, and an expiry. */
export function KeyForm(props: KeyFormProps): ReactNode {
  const { isOpen, onClose, onCreated } = props;
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({
    initialValues: EMPTY,
    validate: {
      read: (read, { manage }) => (read || manage ? null : 'Select at least one scope.'),
    },
  });
  const create = useAction('keys-create', {
    refreshes: ['keys-list'],
    isQuiet: true,
    onDone: ({ key }) => {
      form.reset();
      onCreated(key);
    },
  });

  function submit({ name, read, manage, cidrs, expiry }: typeof EMPTY): void {
    const blocks = cidrs.split(/[\s,]+/).filter((block) => block !== '');
    setProblem(null);
    create.mutate(
      {
        body: {
          name,
          scopes: scopesOf({ read, manage }),
          allowedCidrs: blocks.length === 0 ? null : blocks,
          expiresAt: expiryFromNow(expiry),
        },
      },
      { onError: showProblem },
    );
  }

  function showProblem(error: Error): void {
    const isCidrError = error instanceof ApiProblem && error.parameter === 'allowedCidrs';
    if (isCidrError) form.setFieldError('cidrs', errorMessage(error));
    else setProblem(errorMessage(error));
  }

  return (
    <Modal opened={isOpen} onClose={onClose} title="New API key" size="lg">
      <form onSubmit={form.onSubmit(submit)}>
        <Stack gap="md">
          <FormError error={problem} />
          <TextInput
            label="Name"
            description="What uses the key, for example “nightly job”."
            maxLength={100}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <ScopeFields form={form} />
          <LimitFields form={form} />
          <DialogButtons submitLabel="Create key" onCancel={onClose} loading={create.isPending} />
        </Stack>
      </form>
    </Modal>
  );
}

type KeyFormState = UseFormReturnType<typeof EMPTY>;

function ScopeFields({ form }: { form: KeyFormState }): ReactNode {
  return (
    <Checkbox.Group label="Scopes" error={form.errors['read']} value={scopesOf(form.values)}>
      <Stack gap="xs" mt="xs">
        <Checkbox
          value="read"
          label="Read data"
          description="Read endpoints, counted against the plan’s quotas."
          {...form.getInputProps('read', { type: 'checkbox' })}
          // The error is shown by the checkbox group instead.
          error={false}
        />
        <Checkbox
          value="manage"
          label="Manage account"
          description="API keys, webhooks and usage, through the management API. No access to secrets or members."
          {...form.getInputProps('manage', { type: 'checkbox' })}
        />
      </Stack>
    </Checkbox.Group>
  );
}

function LimitFields({ form }: { form: KeyFormState }): ReactNode {
  return (
    <>
      <Textarea
        label="Allowed IP addresses"
        description="IP addresses or CIDR blocks such as 192.0.2.0/24, one per line. Leave empty to allow any."
        autosize
        minRows={2}
        {...form.getInputProps('cidrs')}
      />
      <Select
        label="Expires"
        data={EXPIRIES}
        allowDeselect={false}
        {...form.getInputProps('expiry')}
      />
    </>
  );
}

function scopesOf(form: Pick<typeof EMPTY, 'read' | 'manage'>): ('read' | 'manage')[] {
  return (['read', 'manage'] as const).filter((scope) => form[scope]);
}

const DAY_MS = 86_400_000;

const EXPIRIES = [
  { value: 'never', label: 'Never' },
  { value: '1', label: 'In 1 day' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 1 year' },
];

/** Returns the expiry for a key created now, or null if it never expires. */
function expiryFromNow(choice: string): string | null {
  if (choice === 'never') return null;
  return new Date(Date.now() + Number(choice) * DAY_MS).toISOString();
}
