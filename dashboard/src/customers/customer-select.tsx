import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useCall } from '../api/use-call.ts';
import { useKnownCustomer } from './use-known-customer.ts';

const CHOICES = 20;

/** A customer picker with server-side search. */
export function CustomerSelect(props: {
  /** Placeholder while no customer is selected. */
  all: string;
  value: string | undefined;
  onChange: (customerId: string | undefined) => void;
}): ReactNode {
  const { all, value, onChange } = props;
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 250);
  const chosen = useKnownCustomer(value ?? '');
  // The selected name fills the input; it isn't a search term.
  const isSearch = search !== '' && search !== chosen.name;
  const found = useCall(
    'customers-list',
    { query: { limit: CHOICES, ...(isSearch ? { search } : {}) } },
    { keepsPrevious: true },
  );
  const choices = (found.data?.customers ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const isListed = value === undefined || choices.some((choice) => choice.value === value);
  return (
    <Select
      label="Customer"
      placeholder={all}
      data={isListed ? choices : [...choices, { value, label: chosen.name }]}
      value={value ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      onSearchChange={setTyped}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': all }}
      nothingFoundMessage="No matching customers"
    />
  );
}
