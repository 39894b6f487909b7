import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { QuarantinedRowDetail } from '../api/calls.gen.ts';
import { sayProblem } from '../api/problem.ts';
import { useAct } from '../api/use-act.ts';

const REFRESHES = ['quarantine-list', 'quarantine-read', 'explore-read'] as const;

/** Lets the row in or keeps it out, with the reason that the audit keeps. */
export function DecideForm({ of: row }: { of: QuarantinedRowDetail }): ReactNode {
  const [why, setWhy] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const options = { refreshes: REFRESHES, isQuiet: true, onDone: () => setWhy('') };
  const accept = useAct('quarantine-accept', { ...options, says: 'The row is let in.' });
  const reject = useAct('quarantine-reject', { ...options, says: 'The row stays out.' });
  const isBusy = accept.isPending || reject.isPending;

  function decide(act: typeof accept | typeof reject): void {
    setProblem(null);
    const input = { path: { quarantineId: row.id }, body: { why: why.trim() } };
    act.mutate(input, { onError: (error) => setProblem(sayProblem(error)) });
  }

  return (
    <Stack gap="sm">
      {problem !== null && (
        <Alert color="red" variant="light" role="alert" title="Not done">
          {problem}
        </Alert>
      )}
      <Text size="sm">{row.explanation}</Text>
      {!row.isReadable && (
        <Text size="sm" c="dimmed">
          It cannot be let in: there is no row in it that could be shown. Keep it out, and it is not
          listed as waiting again.
        </Text>
      )}
      <Textarea
        label="Why"
        description="Kept with the decision and in the audit."
        placeholder="The company’s own notice names this day"
        maxLength={500}
        autosize
        minRows={2}
        value={why}
        onChange={(event) => setWhy(event.currentTarget.value)}
      />
      <Group>
        {row.state !== 'accepted' && row.isReadable && (
          <Button disabled={why.trim() === '' || isBusy} onClick={() => decide(accept)}>
            Let it in
          </Button>
        )}
        {row.state !== 'rejected' && (
          <Button
            variant="default"
            disabled={why.trim() === '' || isBusy}
            onClick={() => decide(reject)}
          >
            {row.state === 'accepted' ? 'Take it out again' : 'Keep it out'}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
