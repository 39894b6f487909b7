import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { sayProblem } from '../api/problem.ts';
import { useAct } from '../api/use-act.ts';
import { newYorkDate } from '../format/time.ts';
import { useNow } from '../ui/values/use-now.ts';
import { sayOverride } from './day-words.ts';
import { nameDay } from './month.ts';
import { bodyOf, type OverrideDraft } from './override-draft.ts';

/** The second step: says what it means, and does it. */
export function OverrideReview(props: {
  draft: OverrideDraft;
  onBack: () => void;
  onDone: () => void;
}): ReactNode {
  const { draft, onBack, onDone } = props;
  const [problem, setProblem] = useState<string | null>(null);
  const isToday = newYorkDate(new Date(useNow())) === draft.date;
  const add = useAct('market-overrides-create', {
    refreshes: ['market-overrides-list', 'explore-read'],
    says: `${nameDay(draft.date)}: ${sayOverride(draft)}.`,
    isQuiet: true,
    onDone,
  });
  return (
    <Stack gap="md">
      {problem !== null && (
        <Alert color="red" variant="light" role="alert" title="Not done">
          {problem}
        </Alert>
      )}
      <Text fw={600} fz="lg" ref={takeFocus} tabIndex={-1}>
        {nameDay(draft.date)}: {sayOverride(draft)}
      </Text>
      {isToday && (
        <Alert color="yellow" variant="light">
          That is today in New York: the state of the market changes with this.
        </Alert>
      )}
      <List size="sm" spacing="xs">
        <List.Item>Every customer is told so, from the very next answer on.</List.Item>
        <List.Item>They read the reason “{draft.reason.trim()}”.</List.Item>
        <List.Item>
          Market status, trading calendar, and all that counts in sessions follow it.
        </List.Item>
        <List.Item>It can be taken back at any time; the audit keeps who did what.</List.Item>
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
              { body: bodyOf(draft) },
              { onError: (error) => setProblem(sayProblem(error)) },
            )
          }
        >
          Tell everybody
        </Button>
      </Group>
    </Stack>
  );
}

/** The field that had the focus is gone with the first step: else nothing would have it. */
function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}
