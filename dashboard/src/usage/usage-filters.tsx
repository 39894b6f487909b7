import { KeySelect } from '../keys/key-select.tsx';
import { Group, SegmentedControl, Select } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Key } from '../api/calls.gen.ts';
import { oneOf } from '../format/search.ts';
import { newYorkDate } from '../format/time.ts';
import { DayField } from '../ui/controls/day-field.tsx';
import { RANGES, SPLITS, STEPS, type UsageSelection, type UsageSearch } from './usage-search.ts';

const RANGE_NAMES = {
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  custom: 'Custom',
} as const;
const SPLIT_NAMES = {
  none: 'No grouping',
  endpoint: 'By endpoint',
  'status-class': 'By status class',
  key: 'By API key',
} as const;

/** Selects the period, step, grouping, and API key. */
export function UsageFilters(props: {
  search: UsageSearch;
  selection: UsageSelection;
  keys: readonly Key[];
  onChange: (search: UsageSearch) => void;
}): ReactNode {
  const { search, selection, keys, onChange } = props;
  const range = search.range ?? '30d';
  return (
    <Group gap="sm" align="flex-end">
      <SegmentedControl
        size="sm"
        aria-label="Period"
        value={range}
        onChange={(value) => onChange(withRange(search, selection, value))}
        data={RANGES.map((value) => ({ value, label: RANGE_NAMES[value] }))}
      />
      {range === 'custom' && (
        <CustomRange search={search} selection={selection} onChange={onChange} />
      )}
      <SegmentedControl
        size="sm"
        aria-label="Step"
        value={selection.step}
        onChange={(value) => onChange({ ...search, by: oneOf(STEPS, value) ?? 'day' })}
        data={[
          { value: 'hour', label: 'Hours', disabled: !selection.canHour },
          { value: 'day', label: 'Days' },
        ]}
      />
      <Select
        aria-label="Group by"
        w={170}
        data={SPLITS.map((value) => ({ value, label: SPLIT_NAMES[value] }))}
        value={selection.split}
        allowDeselect={false}
        onChange={(value) => onChange({ ...search, split: oneOf(SPLITS, value) ?? 'none' })}
      />
      <KeySelect
        keys={keys}
        value={search.keyId}
        onChange={(value) => onChange(withKey(search, value))}
      />
    </Group>
  );
}

function CustomRange(props: {
  search: UsageSearch;
  selection: UsageSelection;
  onChange: (search: UsageSearch) => void;
}): ReactNode {
  const { search, selection, onChange } = props;
  const first = newYorkDate(new Date(selection.from));
  const last = newYorkDate(new Date(selection.to - 1));
  return (
    <>
      <DayField
        aria-label="From"
        value={first}
        max={last}
        onChoose={(from) => {
          if (from !== '') onChange({ ...search, from });
        }}
      />
      <DayField
        aria-label="To"
        value={last}
        min={first}
        onChoose={(to) => {
          if (to !== '') onChange({ ...search, to });
        }}
      />
    </>
  );
}

/** Changes the period. A custom range starts out as the previous period. */
function withRange(search: UsageSearch, selection: UsageSelection, value: string): UsageSearch {
  const { from: _from, to: _to, ...rest } = search;
  const range = oneOf(RANGES, value) ?? '30d';
  if (range !== 'custom') return { ...rest, range };
  const from = newYorkDate(new Date(selection.from));
  return { ...rest, range, from, to: newYorkDate(new Date(selection.to - 1)) };
}

function withKey({ keyId: _keyId, ...rest }: UsageSearch, keyId: string | null): UsageSearch {
  return keyId === null ? rest : { ...rest, keyId };
}
