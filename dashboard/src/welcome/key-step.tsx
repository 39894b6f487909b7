import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { sayProblem } from '../api/problem.ts';
import { useAct } from '../api/use-act.ts';
import { CopyText } from '../ui/controls/copy-text.tsx';

/** Makes a key that reads, and shows it this once. */
export function KeyStep(props: { made: string | null; onMade: (key: string) => void }): ReactNode {
  const { made, onMade } = props;
  const [name, setName] = useState('First key');
  const [problem, setProblem] = useState<string | null>(null);
  const make = useAct('keys-create', {
    refreshes: ['keys-list'],
    isQuiet: true,
    onDone: ({ key }) => onMade(key),
  });
  if (made !== null) return <MadeKey text={made} />;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setProblem(null);
        make.mutate(
          { body: { name, scopes: ['read'] } },
          { onError: (error) => setProblem(sayProblem(error)) },
        );
      }}
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          A program that reads sends it in the header X-Api-Key.
        </Text>
        {problem !== null && (
          <Alert color="red" variant="light" role="alert">
            {problem}
          </Alert>
        )}
        <Group gap="sm" align="flex-end">
          <TextInput
            label="Name of the key"
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" loading={make.isPending}>
            Make the key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Takes the place of the form, and with it the focus, which the button had. */
function MadeKey({ text }: { text: string }): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <Stack gap="xs" ref={place} tabIndex={-1} role="group" aria-label="The key that was made">
      <Text size="sm" c="dimmed">
        Copy it now: it is shown this once. The service keeps only what recognises it.
      </Text>
      <CopyText text={text} what="the key" />
    </Stack>
  );
}
