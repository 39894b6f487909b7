import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { QuarantinedRowDetail } from '../api/calls.gen.ts';
import { sayProblem } from '../api/problem.ts';
import { useAct } from '../api/use-act.ts';

const REFRESHES = ['quarantine-list', 'quarantine-read', 'explore-read'] as const;

/** Accepts or rejects the row, with a reason for the audit log. */
export function DecideForm({ row }: { row: QuarantinedRowDetail }): ReactNode {
  const [why, setWhy] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const options = { refreshes: REFRESHES, isQuiet: true, onDone: () => setWhy('') };
  const accept = useAct('quarantine-accept', { ...options, says: 'Row accepted' });
  const reject = useAct('quarantine-reject', { ...options, says: 'Row rejected' });
  const isBusy = accept.isPending || reject.isPending;

  function decide(act: typeof accept | typeof reject): void {
    setProblem(null);
    const input = { path: { quarantineId: row.id }, body: { why: why.trim() } };
    act.mutate(input, { onError: (error) => setProblem(sayProblem(error)) });
  }

  return (
    <Stack gap="sm">
      {problem !== null && (
        <Alert color="red" variant="light" role="alert" title="Decision not saved">
          {problem}
        </Alert>
      )}
      <Text size="sm">{row.explanation}</Text>
      {!row.isReadable && (
        <Text size="sm" c="dimmed">
          This row can’t be parsed, so it can’t be accepted. Reject it to remove it from the pending
          list.
        </Text>
      )}
      <Textarea
        label="Reason"
        description="Saved with the decision and in the audit log."
        placeholder="Confirmed by the company’s press release"
        maxLength={500}
        autosize
        minRows={2}
        value={why}
        onChange={(event) => setWhy(event.currentTarget.value)}
      />
      <Group>
        {row.state !== 'accepted' && row.isReadable && (
          <Button disabled={why.trim() === '' || isBusy} onClick={() => decide(accept)}>
            Accept
          </Button>
        )}
        {row.state !== 'rejected' && (
          <Button
            variant="default"
            disabled={why.trim() === '' || isBusy}
            onClick={() => decide(reject)}
          >
            {row.state === 'accepted' ? 'Revoke acceptance' : 'Reject'}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
