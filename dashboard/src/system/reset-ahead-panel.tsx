import { Alert, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAct } from '../api/use-act.ts';
import { formatCount } from '../format/number.ts';
import { ConfirmButton } from '../ui/controls/confirm-button.tsx';
import { Panel } from '../ui/page/panel.tsx';

/** Puts customers back who were counted in a day that has not come yet. */
export function ResetAheadPanel(): ReactNode {
  const [putBack, setPutBack] = useState<number | null>(null);
  const reset = useAct('quotas-reset-future', {
    refreshes: ['customers-list', 'customers-read', 'system-audit-list'],
    onDone: ({ customers }) => setPutBack(customers),
  });
  return (
    <Panel
      title="Quotas ahead of the clock"
      aside={
        <ConfirmButton
          label="Put quotas back"
          isDanger={false}
          loading={reset.isPending}
          title="Put quotas back to today?"
          text="Customers who are counted in a day or month that has not come yet are put back to today and this month, from zero. All others keep their counts. Do this once the clock of the machine is right again."
          confirmLabel="Put back"
          onConfirm={() => reset.mutate({})}
        />
      }
    >
      <Stack gap="sm">
        <Text size="sm">
          Only needed after the clock of this machine ran ahead. A customer’s day and month only go
          forward, so that a clock that steps back gives no second quota. Whoever asked while the
          clock ran ahead stays in that later day until it comes, or until you put them back here.
        </Text>
        {putBack !== null && (
          <Alert variant="light" p="xs" px="md" role="status">
            {putBack === 0
              ? 'Nobody was ahead: nothing was changed.'
              : `${formatCount(putBack)} ${putBack === 1 ? 'customer was' : 'customers were'} put back.`}
          </Alert>
        )}
      </Stack>
    </Panel>
  );
}
