import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { QuarantineCounts } from '../api/calls.gen.ts';
import { formatCount } from '../format/number.ts';
import type { QuarantineSearch } from './quarantine-search.ts';
import { ruleLabel } from './quarantine-state.ts';

const SHOWN = 6;

/**
 * Counts the pending rows by rule, most frequent first. Each button filters the list by its rule.
 */
export function PendingCounts(props: {
  counts: QuarantineCounts;
  onChoose: (search: QuarantineSearch) => void;
}): ReactNode {
  const { open, counts } = props.counts;
  if (open === 0) return null;
  const hidden = counts.slice(SHOWN).reduce((sum, { rows }) => sum + rows, 0);
  return (
    <Group gap="xs">
      <Text size="sm" fw={550}>
        {formatCount(open)} {open === 1 ? 'pending row' : 'pending rows'}
      </Text>
      {counts.slice(0, SHOWN).map(({ dataset, provider, reason, rows }) => (
        <Button
          key={`${dataset} ${provider} ${reason}`}
          size="compact-xs"
          variant="default"
          onClick={() => props.onChoose({ dataset, provider, reason })}
        >
          {formatCount(rows)} × {ruleLabel(reason)} ({dataset}, {provider})
        </Button>
      ))}
      {hidden > 0 && (
        <Text size="xs" c="dimmed">
          +{formatCount(hidden)} more
        </Text>
      )}
    </Group>
  );
}
