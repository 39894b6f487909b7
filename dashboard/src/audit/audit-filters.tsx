import { Button, Group, Select } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { DayField } from '../ui/controls/day-field.tsx';
import { AUDIT_TOPICS } from './audit-topics.ts';
import type { AuditSearch } from './audit-search.ts';

/** The audit log filters. Changing a filter returns to the first page. */
export function AuditFilters(props: {
  /** The audit log of one account or of the whole service. */
  scope: keyof typeof AUDIT_TOPICS;
  value: AuditSearch;
  onChange: (search: AuditSearch) => void;
}): ReactNode {
  const { scope, value, onChange } = props;
  const { before: _page, ...filters } = value;

  /** Sets a filter. An undefined value removes the filter from the URL. */
  function set(name: 'act' | 'by' | 'from' | 'to', filterValue: string | undefined): void {
    const { [name]: _old, ...remaining } = filters;
    onChange(
      filterValue === undefined || filterValue === ''
        ? remaining
        : { ...remaining, [name]: filterValue },
    );
  }

  return (
    <Group align="flex-end" gap="sm">
      <Select
        label="Topic"
        placeholder="All"
        data={[...AUDIT_TOPICS[scope]]}
        value={value.act ?? null}
        onChange={(act) => set('act', act ?? undefined)}
        clearable
        clearButtonProps={{ 'aria-label': 'Topic: all' }}
      />
      <DayField label="From" value={value.from ?? ''} onChoose={(day) => set('from', day)} />
      <DayField label="To" value={value.to ?? ''} onChoose={(day) => set('to', day)} />
      {value.by !== undefined && (
        <Button
          variant="default"
          rightSection={<IconX size={14} aria-hidden />}
          onClick={() => set('by', undefined)}
        >
          One actor only: show all
        </Button>
      )}
    </Group>
  );
}
