import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useCall } from '../api/use-call.ts';
import { useCustomerInfo } from './use-customer-info.ts';

const CHOICES = 20;

/** Selects a customer. The search runs on the server. */
export function CustomerSelect(props: {
  /** The placeholder while no customer is selected. */
  allLabel: string;
  value: string | undefined;
  onChange: (customerId: string | undefined) => void;
}): ReactNode {
  const { allLabel, value, onChange } = props;
  const [input, setInput] = useState('');
  const [search] = useDebouncedValue(input.trim(), 250);
  const selected = useCustomerInfo(value ?? '');
  // The input shows the selected customer's name, which isn't a search term.
  const isSearch = search !== '' && search !== selected.name;
  const matches = useCall(
    'customers-list',
    { query: { limit: CHOICES, ...(isSearch ? { search } : {}) } },
    { keepsPrevious: true },
  );
  const choices = (matches.data?.customers ?? []).map(({ id, name }) => ({
    value: id,
    label: name,
  }));
  const isListed = value === undefined || choices.some((choice) => choice.value === value);
  return (
    <Select
      label="Customer"
      placeholder={allLabel}
      data={isListed ? choices : [...choices, { value, label: selected.name }]}
      value={value ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      onSearchChange={setInput}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': allLabel }}
      nothingFoundMessage="No matching customers"
    />
  );
}
