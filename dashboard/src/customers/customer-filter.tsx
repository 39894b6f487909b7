import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';

/** Filters customers by part of their name. The input is debounced. */
export function CustomerFilter(props: {
  value: string;
  onChange: (search: string) => void;
}): ReactNode {
  const { value, onChange } = props;
  const [text, setText] = useState(value);
  const search = useDebouncedCallback(onChange, 250);

  function type(next: string): void {
    setText(next);
    search(next.trim());
  }

  return (
    <TextInput
      aria-label="Search by name"
      placeholder="Search by name"
      maw={340}
      maxLength={200}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        text === '' ? null : <CloseButton aria-label="Clear search" onClick={() => type('')} />
      }
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  );
}
