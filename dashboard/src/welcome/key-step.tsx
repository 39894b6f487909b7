import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { errorMessage } from '../api/problem.ts';
import { useAction } from '../api/use-action.ts';
import { CopyText } from '../ui/controls/copy-text.tsx';
import { FormError } from '../ui/controls/form-parts.tsx';

/** Creates a key with the read scope and shows it once. */
export function KeyStep(props: {
  apiKey: string | null;
  onCreated: (key: string) => void;
}): ReactNode {
  const { apiKey, onCreated } = props;
  const [name, setName] = useState('First key');
  const [problem, setProblem] = useState<string | null>(null);
  const create = useAction('keys-create', {
    refreshes: ['keys-list'],
    isQuiet: true,
    onDone: ({ key }) => onCreated(key),
  });
  if (apiKey !== null) return <CreatedKey text={apiKey} />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setProblem(null);
        create.mutate(
          { body: { name, scopes: ['read'] } },
          { onError: (error) => setProblem(errorMessage(error)) },
        );
      }}
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Send it in the X-Api-Key header.
        </Text>
        <FormError error={problem} />
        <Group gap="sm" align="flex-end">
          <TextInput
            label="Key name"
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" loading={create.isPending}>
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Shows the new key. It replaces the form, so it takes over the focus from the form's button. */
function CreatedKey({ text }: { text: string }): ReactNode {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => container.current?.focus(), []);
  return (
    <Stack gap="xs" ref={container} tabIndex={-1} role="group" aria-label="New API key">
      <Text size="sm" c="dimmed">
        Copy it now. We store only a hash of it, so it can’t be shown again.
      </Text>
      <CopyText text={text} what="API key" />
    </Stack>
  );
}
