import { Group, Switch, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { CalendarSearch, OnSearch } from './calendar-search.ts';
import { WatchList } from './watch-list.tsx';

/** The calendar filters, which are stored in the URL. */
export function CalendarFilters(props: { search: CalendarSearch; onSearch: OnSearch }): ReactNode {
  const { search, onSearch } = props;
  const { calendar = 'earnings' } = search;
  return (
    <Group gap="sm">
      <TextInput
        aria-label={calendar === 'economic' ? 'Find a release' : 'Find a company'}
        placeholder={calendar === 'economic' ? 'Find a release' : 'Find a company'}
        leftSection={<IconSearch size={15} aria-hidden />}
        w={210}
        maxLength={100}
        value={search.find ?? ''}
        onChange={({ currentTarget }) => onSearch({ find: currentTarget.value || undefined })}
      />
      {calendar !== 'economic' && (
        <WatchList symbols={search.symbols} onChange={(symbols) => onSearch({ symbols })} />
      )}
      {calendar === 'earnings' && (
        <Switch
          label="Confirmed only"
          checked={search.sure === true}
          onChange={({ currentTarget }) =>
            onSearch({ sure: currentTarget.checked ? true : undefined })
          }
        />
      )}
      {calendar === 'economic' && (
        <Switch
          label="Major U.S. releases"
          checked={search.major === true}
          onChange={({ currentTarget }) =>
            onSearch({ major: currentTarget.checked ? true : undefined })
          }
        />
      )}
    </Group>
  );
}
