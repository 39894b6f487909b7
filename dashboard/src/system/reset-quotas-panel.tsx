import { Alert, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { formatCount } from '../format/number.ts';
import { ConfirmButton } from '../ui/controls/confirm-button.tsx';
import { Panel } from '../ui/page/panel.tsx';

/** Resets quotas whose usage was counted for a day or month in the future. */
export function ResetQuotasPanel(): ReactNode {
  const [resetCount, setResetCount] = useState<number | null>(null);
  const reset = useAction('quotas-reset-future', {
    refreshes: ['customers-list', 'customers-read', 'system-audit-list'],
    onDone: ({ customers }) => setResetCount(customers),
  });
  return (
    <Panel
      title="Quotas ahead of the clock"
      aside={
        <ConfirmButton
          label="Reset quotas"
          isDanger={false}
          loading={reset.isPending}
          title="Reset quotas?"
          text="Customers that are counted in a future day or month are reset to zero for the current one. All others keep their counts. Fix the server’s clock first."
          confirmLabel="Reset"
          onConfirm={() => reset.mutate({})}
        />
      }
    >
      <Stack gap="sm">
        <Text size="sm">
          Only needed after the server’s clock was set to a future time. Quota windows never move
          back, so customers with requests during that time stay in the future window until you
          reset them.
        </Text>
        {resetCount !== null && (
          <Alert variant="light" p="xs" px="md" role="status">
            {resetCount === 0
              ? 'No quotas were ahead. Nothing changed.'
              : `Reset quotas of ${formatCount(resetCount)} ${resetCount === 1 ? 'customer' : 'customers'}.`}
          </Alert>
        )}
      </Stack>
    </Panel>
  );
}
