import { Autocomplete, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useCall } from '../../api/use-call.ts';

/** Selects a company. If none is selected, a subscribed company is used. */
export function SymbolChoice(props: {
  value: string;
  onChange: (symbol: string) => void;
}): ReactNode {
  const { value, onChange } = props;
  const [search] = useDebouncedValue(value.trim(), 200);
  const matches = useCall('symbols-search', { query: { search } }, { isEnabled: search !== '' });
  const names = new Map(matches.data?.map((company) => [company.symbol, company.name]));
  return (
    <Autocomplete
      label="Company"
      placeholder="Any subscribed company"
      data={[...names.keys()]}
      value={value}
      onChange={onChange}
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <Text size="sm">
          <b>{option.value}</b> {names.get(option.value) ?? ''}
        </Text>
      )}
      miw={240}
      data-autofocus
    />
  );
}
