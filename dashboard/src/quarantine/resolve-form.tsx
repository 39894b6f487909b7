import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { QuarantinedRowDetail } from '../api/calls.gen.ts';
import { errorMessage } from '../api/problem.ts';
import { useAction } from '../api/use-action.ts';
import { FormError } from '../ui/controls/form-parts.tsx';

const REFRESHES = ['quarantine-list', 'quarantine-read', 'explore-read'] as const;

/** Accepts or rejects the row, with a reason for the audit log. */
export function ResolveForm({ row }: { row: QuarantinedRowDetail }): ReactNode {
  const [why, setReason] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const options = { refreshes: REFRESHES, isQuiet: true, onDone: () => setReason('') };
  const accept = useAction('quarantine-accept', { ...options, successMessage: 'Row accepted' });
  const reject = useAction('quarantine-reject', { ...options, successMessage: 'Row rejected' });
  const isBusy = accept.isPending || reject.isPending;

  function resolve(mutation: typeof accept | typeof reject): void {
    setProblem(null);
    const input = { path: { quarantineId: row.id }, body: { why: why.trim() } };
    mutation.mutate(input, { onError: (error) => setProblem(errorMessage(error)) });
  }

  return (
    <Stack gap="sm">
      <FormError error={problem} title="Decision not saved" />
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
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <Group>
        {row.state !== 'accepted' && row.isReadable && (
          <Button disabled={why.trim() === '' || isBusy} onClick={() => resolve(accept)}>
            Accept
          </Button>
        )}
        {row.state !== 'rejected' && (
          <Button
            variant="default"
            disabled={why.trim() === '' || isBusy}
            onClick={() => resolve(reject)}
          >
            {row.state === 'accepted' ? 'Revoke acceptance' : 'Reject'}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
