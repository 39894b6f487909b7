import { Group, SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { oneOf } from '../format/search.ts';
import { FilterSelect } from '../ui/controls/filter-select.tsx';
import { OUTCOME_WORDS, OUTCOMES } from './run-words.ts';
import type { RunsSearch } from './runs-search.ts';

const ALL = 'all';

/** The run filters. */
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
          ...OUTCOMES.map((value) => ({ value, label: OUTCOME_WORDS[value].text })),
        ]}
        onChange={(value) => {
          const chosen = oneOf(OUTCOMES, value);
          onChange({
            ...(provider === undefined ? {} : { provider }),
            ...(chosen === undefined ? {} : { outcome: chosen }),
          });
        }}
      />
      <FilterSelect
        label="Source"
        all="All sources"
        options={providers}
        value={provider}
        onChange={(chosen) =>
          onChange({
            ...(chosen === undefined ? {} : { provider: chosen }),
            ...(outcome === undefined ? {} : { outcome }),
          })
        }
      />
    </Group>
  );
}
