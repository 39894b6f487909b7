import { Combobox, Kbd, Loader, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue, useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
import type { SymbolMatch } from '../api/calls.gen.ts';
import { useCall } from '../api/use-call.ts';
import styles from './company-search.module.css';

const PAUSE_MS = 180;
const INPUT_ID = 'company-search';

interface SearchProps {
  size: 'sm' | 'lg';
  onSelect: (symbol: string) => void;
}

/** Searches companies by symbol or name. Pressing `/` anywhere on the page moves the focus here. */
export function CompanySearch({ size, onSelect }: SearchProps): ReactNode {
  const [text, setText] = useState('');
  const [term] = useDebouncedValue(text.trim(), PAUSE_MS);
  const store = useCombobox({ onDropdownClose: () => store.resetSelectedOption() });
  const { data, error, isFetching } = useCall(
    'symbols-search',
    { query: { search: term } },
    { isEnabled: term !== '', keepsPrevious: true },
  );
  useHotkeys([['/', () => document.getElementById(INPUT_ID)?.focus()]]);
  // Preselects the best match, so that pressing Enter opens it.
  const { selectFirstOption } = store;
  useEffect(() => {
    if (data !== undefined && data.length > 0) selectFirstOption();
  }, [data, selectFirstOption]);
  const matches = term === '' ? [] : (data ?? []);

  return (
    <Combobox
      store={store}
      onOptionSubmit={(symbol) => {
        setText('');
        onSelect(symbol);
      }}
    >
      <Combobox.Target>
        <TextInput
          id={INPUT_ID}
          size={size}
          aria-label="Find a company"
          placeholder="Symbol or name"
          leftSection={<IconSearch size={20} aria-hidden />}
          rightSection={isFetching ? <Loader size="xs" /> : <Kbd visibleFrom="sm">/</Kbd>}
          maxLength={100}
          value={text}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            store.openDropdown();
          }}
          onKeyDown={keepFromSubmitting}
          onFocus={() => store.openDropdown()}
          onBlur={() => store.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={term === ''}>
        <Combobox.Options mah={360} className={styles['options']}>
          {matches.map((company) => (
            <Option key={company.symbol} company={company} />
          ))}
          {matches.length === 0 && !isFetching && (
            <Combobox.Empty>
              {error === null ? `No company matches “${term}”.` : error.message}
            </Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** Enter selects a company. It must not submit a form around the field. */
function keepFromSubmitting(event: KeyboardEvent): void {
  if (event.key === 'Enter') event.preventDefault();
}

function Option({ company }: { company: SymbolMatch }): ReactNode {
  const { symbol, name, exchange, active } = company;
  return (
    <Combobox.Option value={symbol} className={styles['option']}>
      <Text span fw={620} w={90}>
        {symbol}
      </Text>
      <Text span className={styles['name']}>
        {name}
      </Text>
      <Text span size="xs" c="dimmed">
        {active ? exchange : 'delisted'}
      </Text>
    </Combobox.Option>
  );
}
