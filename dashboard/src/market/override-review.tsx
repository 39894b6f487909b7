import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { errorMessage } from '../api/problem.ts';
import { useAction } from '../api/use-action.ts';
import { newYorkDate } from '../format/time.ts';
import { useNow } from '../ui/values/use-now.ts';
import { describeOverride } from './day-labels.ts';
import { formatLongDate } from './month.ts';
import { toBody, type OverrideDraft } from './override-draft.ts';
import { FormError } from '../ui/controls/form-parts.tsx';

/** The second step, which explains the effects and publishes the change. */
export function OverrideReview(props: {
  draft: OverrideDraft;
  onBack: () => void;
  onDone: () => void;
}): ReactNode {
  const { draft, onBack, onDone } = props;
  const [problem, setProblem] = useState<string | null>(null);
  const isToday = newYorkDate(new Date(useNow())) === draft.date;
  const add = useAction('market-overrides-create', {
    refreshes: ['market-overrides-list', 'explore-read'],
    successMessage: `${formatLongDate(draft.date)}: ${describeOverride(draft)}.`,
    isQuiet: true,
    onDone,
  });
  return (
    <Stack gap="md">
      <FormError error={problem} title="Change not published" />
      <Text fw={600} fz="lg" ref={takeFocus} tabIndex={-1}>
        {formatLongDate(draft.date)}: {describeOverride(draft)}
      </Text>
      {isToday && (
        <Alert color="yellow" variant="light">
          This is today in New York: the change affects the current market status.
        </Alert>
      )}
      <List size="sm" spacing="xs">
        <List.Item>All customers see the change immediately.</List.Item>
        <List.Item>Customers see the reason “{draft.reason.trim()}”.</List.Item>
        <List.Item>
          Market status, the trading calendar and everything counted in sessions follow the change.
        </List.Item>
        <List.Item>You can revert it at any time. The audit log records both actions.</List.Item>
      </List>
      <Group justify="flex-end">
        <Button variant="default" onClick={onBack} disabled={add.isPending}>
          Back
        </Button>
        <Button
          color="red"
          loading={add.isPending}
          onClick={() =>
            add.mutate(
              { body: toBody(draft) },
              { onError: (error) => setProblem(errorMessage(error)) },
            )
          }
        >
          Publish
        </Button>
      </Group>
    </Stack>
  );
}

/** Moves the focus here, because the first step is unmounted. */
function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}
