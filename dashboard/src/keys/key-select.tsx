import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Key } from '../api/calls.gen.ts';

/** Filters by API key. */
export function KeySelect(props: {
  keys: readonly Key[];
  value: string | undefined;
  onChange: (keyId: string | null) => void;
}): ReactNode {
  return (
    <Select
      aria-label="API key"
      placeholder="All API keys"
      w={200}
      clearable
      data={props.keys.map(({ id, name, last4 }) => ({
        value: id,
        label: name === '' ? `…${last4}` : `${name} …${last4}`,
      }))}
      value={props.value ?? null}
      onChange={props.onChange}
    />
  );
}
