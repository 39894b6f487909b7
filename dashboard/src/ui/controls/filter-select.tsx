import { Select } from '@mantine/core';
import type { ReactNode } from 'react';

/** A filter in which one option can be selected. */
export function FilterSelect(props: {
  label: string;
  /** The placeholder while nothing is selected. */
  allLabel: string;
  options: readonly string[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}): ReactNode {
  const { label, allLabel, options, value, onChange } = props;
  const choices = value === undefined || options.includes(value) ? options : [...options, value];
  return (
    <Select
      label={label}
      placeholder={allLabel}
      data={[...choices]}
      value={value ?? null}
      onChange={(selected) => onChange(selected ?? undefined)}
      clearable
      clearButtonProps={{ 'aria-label': `${label}: ${allLabel}` }}
      searchable={choices.length > 8}
      size="xs"
      w={{ base: 162, sm: 190 }}
    />
  );
}
