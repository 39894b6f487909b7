import { Group, SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { oneOf } from '../format/search.ts';
import { useSourceNames } from '../sources/use-source-names.ts';
import { FilterSelect } from '../ui/controls/filter-select.tsx';
import type { QuarantineSearch } from './quarantine-search.ts';
import { STATES } from './quarantine-state.ts';

/** Filters the quarantined rows. */
export function QuarantineFilters(props: {
  search: QuarantineSearch;
  /** The rules to choose from. */
  reasons: readonly string[];
  onChange: (search: QuarantineSearch) => void;
}): ReactNode {
  const { search, reasons, onChange } = props;
  const { datasets, sources } = useSourceNames();
  const { before: _page, ...rest } = search;

  function set(name: 'provider' | 'dataset' | 'reason', value: string | undefined): void {
    const { [name]: _old, ...remaining } = rest;
    onChange(value === undefined ? remaining : { ...remaining, [name]: value });
  }

  return (
    <Group align="flex-end" gap="sm">
      <SegmentedControl
        size="xs"
        aria-label="Status"
        value={search.state ?? 'open'}
        data={[
          { value: 'open', label: 'Pending' },
          { value: 'accepted', label: 'Accepted' },
          { value: 'rejected', label: 'Rejected' },
        ]}
        onChange={(value) => onChange({ ...rest, state: oneOf(STATES, value) ?? 'open' })}
      />
      <FilterSelect
        label="Source"
        allLabel="All sources"
        options={sources}
        value={search.provider}
        onChange={(value) => set('provider', value)}
      />
      <FilterSelect
        label="Dataset"
        allLabel="All datasets"
        options={datasets}
        value={search.dataset}
        onChange={(value) => set('dataset', value)}
      />
      <FilterSelect
        label="Rule"
        allLabel="All rules"
        options={reasons}
        value={search.reason}
        onChange={(value) => set('reason', value)}
      />
    </Group>
  );
}
