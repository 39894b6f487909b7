import { KeySelect } from '../keys/key-select.tsx';
import { Group, SegmentedControl, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Key } from '../api/calls.gen.ts';
import { type RequestsSearch, withFilter } from './requests-search.ts';

const TYPING_MS = 300;
const REQUEST_ID = /^req_\w+$/;

/** Filters the request log by status, key, and path prefix or request ID. */
export function RequestFilters(props: {
  search: RequestsSearch;
  keys: readonly Key[];
  onChange: (search: RequestsSearch) => void;
}): ReactNode {
  const { search, keys, onChange } = props;
  const find = useDebouncedCallback((text: string) => onChange(withText(search, text)), TYPING_MS);
  const { status = '' } = search;
  const classes = ['', '2xx', '4xx', '5xx'];
  return (
    <Group gap="sm" align="flex-end">
      <SegmentedControl
        size="sm"
        aria-label="Status"
        value={status}
        onChange={(value) => onChange(withFilter(search, { status: value }))}
        data={[
          ...classes.map((value) => ({ value, label: value === '' ? 'All' : value })),
          ...(classes.includes(status) ? [] : [{ value: status, label: status }]),
        ]}
      />
      <TextInput
        aria-label="Path prefix or request ID"
        placeholder="/v1/earnings or req_…"
        leftSection={<IconSearch size={16} aria-hidden />}
        w={{ base: '100%', xs: 260 }}
        // Remounts the input when the URL changes, for example after the user goes back.
        key={search.requestId ?? 'path'}
        defaultValue={search.requestId ?? search.path ?? ''}
        onChange={({ currentTarget: { value } }) => find(value.trim())}
      />
      <KeySelect
        keys={keys}
        value={search.keyId}
        onChange={(keyId) => onChange(withFilter(search, { keyId }))}
      />
    </Group>
  );
}

/** Sets the text as a request ID if it looks like one, or else as a path prefix. */
function withText(search: RequestsSearch, text: string): RequestsSearch {
  return REQUEST_ID.test(text)
    ? withFilter(search, { requestId: text, path: null })
    : withFilter(search, { path: text, requestId: null });
}
