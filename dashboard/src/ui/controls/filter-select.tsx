import { Select } from '@mantine/core';
import type { ReactNode } from 'react';

/** A filter with one option. */
export function FilterSelect(props: {
  label: string;
  /** The placeholder without a selection. */
  all: string;
  options: readonly string[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}): ReactNode {
  const { label, all, options, value, onChange } = props;
  const given = value === undefined || options.includes(value) ? options : [...options, value];
  return (
    <Select
      label={label}
      placeholder={all}
      data={[...given]}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      clearable
      clearButtonProps={{ 'aria-label': `${label}: ${all}` }}
      searchable={given.length > 8}
      size="xs"
      w={{ base: 162, sm: 190 }}
    />
  );
}
