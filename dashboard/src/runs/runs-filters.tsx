import { Group, SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { oneOf } from '../format/search.ts';
import { FilterSelect } from '../ui/controls/filter-select.tsx';
import { OUTCOME_LABELS, OUTCOMES } from './run-labels.ts';
import type { RunsSearch } from './runs-search.ts';

const ALL = 'all';

/** The filters for ingest runs. */
export function RunsFilters(props: {
  search: RunsSearch;
  providers: readonly string[];
  onChange: (search: RunsSearch) => void;
}): ReactNode {
  const { search, providers, onChange } = props;
  const { provider, outcome } = search;
  return (
    <Group align="flex-end" gap="sm">
      <SegmentedControl
        size="xs"
        aria-label="Outcome"
        value={outcome ?? ALL}
        data={[
          { value: ALL, label: 'All' },
          ...OUTCOMES.map((value) => ({ value, label: OUTCOME_LABELS[value].text })),
        ]}
        onChange={(value) => {
          const selected = oneOf(OUTCOMES, value);
          onChange({
            ...(provider === undefined ? {} : { provider }),
            ...(selected === undefined ? {} : { outcome: selected }),
          });
        }}
      />
      <FilterSelect
        label="Source"
        allLabel="All sources"
        options={providers}
        value={provider}
        onChange={(selected) =>
          onChange({
            ...(selected === undefined ? {} : { provider: selected }),
            ...(outcome === undefined ? {} : { outcome }),
          })
        }
      />
    </Group>
  );
}
