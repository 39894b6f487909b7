import { Group, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import type { FactsSearch } from './facts-search.ts';

const TYPING_MS = 300;

/** The filters of the data explorer. Text inputs are debounced. */
export function FactFilters(props: {
  search: FactsSearch;
  onChange: (changed: Readonly<Record<string, string>>) => void;
}): ReactNode {
  const { search, onChange } = props;
  const [input, setInput] = useState({
    symbol: search.symbol ?? '',
    search: search.search ?? '',
    date: search.date ?? '',
  });
  const notify = useDebouncedCallback(onChange, TYPING_MS);

  function type(name: keyof typeof input, value: string): void {
    const now = { ...input, [name]: value };
    setInput(now);
    notify({ ...now, symbol: now.symbol.trim().toUpperCase(), search: now.search.trim() });
  }

  return (
    <Group align="flex-end" gap="sm">
      <TextInput
        label="Symbol"
        placeholder="All"
        size="xs"
        w={110}
        maxLength={24}
        value={input.symbol}
        onChange={(event) => type('symbol', event.currentTarget.value)}
      />
      <TextInput
        label="Name contains"
        placeholder="Any"
        size="xs"
        w={220}
        maxLength={100}
        value={input.search}
        onChange={(event) => type('search', event.currentTarget.value)}
      />
      <TextInput
        label="Date"
        type="date"
        size="xs"
        w={150}
        value={input.date}
        onChange={(event) => type('date', event.currentTarget.value)}
      />
    </Group>
  );
}
