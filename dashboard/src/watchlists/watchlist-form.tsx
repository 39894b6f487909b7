import { Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import type { Watchlist } from '../api/calls.gen.ts';
import { useAction } from '../api/use-action.ts';
import { CompanySearch } from '../company/company-search.tsx';
import { ApiProblem, errorMessage } from '../api/problem.ts';
import { DialogButtons, FormError } from '../ui/controls/form-parts.tsx';

interface FormProps {
  /** Null to create a watchlist. */
  watchlist: Watchlist | null;
  /** Names of the other watchlists, which saving would replace. */
  takenNames: readonly string[];
  onClose: () => void;
}

/** Creates a watchlist, or changes the companies on one. Shows errors next to their field. */
export function WatchlistForm({ watchlist, takenNames, onClose }: FormProps): ReactNode {
  const form = useForm({
    initialValues: {
      name: watchlist?.name ?? '',
      symbols: watchlist?.symbols.join(', ') ?? '',
    },
    validate: { name: (name) => nameProblem(name.trim().toLowerCase(), takenNames) },
  });
  const save = useAction('watchlists-upsert', {
    refreshes: ['watchlists-list', 'watchlists-read'],
    isQuiet: true,
    onDone: onClose,
  });
  function submit({ name, symbols }: { name: string; symbols: string }): void {
    save.mutate(
      { path: { name: name.trim() }, body: { symbols } },
      {
        onError(error) {
          const field = fieldOf(error);
          if (field !== null) form.setFieldError(field, errorMessage(error));
        },
      },
    );
  }

  function add(symbol: string): void {
    const text = form.values.symbols.trim();
    form.setFieldValue('symbols', text === '' ? symbol : `${text.replace(/,$/, '')}, ${symbol}`);
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={watchlist === null ? 'New watchlist' : `Edit @${watchlist.name}`}
      size="lg"
    >
      <form onSubmit={form.onSubmit(submit)} noValidate>
        <Stack gap="md">
          <FormError error={fieldOf(save.error) === null ? save.error : null} />
          {watchlist === null && (
            <TextInput
              label="Name"
              description="Letters, digits, hyphens and underscores. Use the list as symbols=@name."
              placeholder="coverage"
              data-autofocus
              maxLength={40}
              {...form.getInputProps('name')}
            />
          )}
          <Companies field={form.getInputProps('symbols')} onSelect={add} />
          <DialogButtons submitLabel="Save" loading={save.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}

function nameProblem(name: string, takenNames: readonly string[]): string | null {
  if (name === '') return 'Enter a name.';
  return takenNames.includes(name) ? 'You already have a watchlist with this name.' : null;
}

function Companies(props: { field: object; onSelect: (symbol: string) => void }): ReactNode {
  const { field, onSelect } = props;
  return (
    <>
      <CompanySearch size="sm" onSelect={onSelect} />
      <Textarea
        label="Symbols"
        description="Add companies with the search above, or paste symbols with any separator."
        autosize
        minRows={4}
        maxRows={12}
        spellCheck={false}
        {...field}
      />
      <Text size="sm" c="dimmed">
        A company stays on the list when its symbol changes. Webhook subscriptions to the list
        follow at once.
      </Text>
    </>
  );
}

/** Returns the field that the service identifies as invalid; null if it is none of the form. */
function fieldOf(error: unknown): 'name' | 'symbols' | null {
  const parameter = error instanceof ApiProblem ? error.parameter : null;
  return parameter === 'name' || parameter === 'symbols' ? parameter : null;
}
