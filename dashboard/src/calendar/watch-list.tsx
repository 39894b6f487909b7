import { Button, Group, Popover, Text, Textarea } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { readSymbols } from './calendar-search.ts';

/** So many the interface takes in one request. */
const SYMBOLS_MAX = 500;
/** A longer text does not fit into the question; some 300 symbols do. */
const LENGTH_MAX = 1_800;

/** Pasted symbols; with some, the calendar shows these companies alone. The address keeps them. */
export function WatchList(props: {
  symbols: string | undefined;
  onChange: (symbols: string | undefined) => void;
}): ReactNode {
  const { symbols, onChange } = props;
  const [isOpen, setIsOpen] = useState(false);
  const [text, setText] = useState('');
  const read = readSymbols(text);
  const count = symbols === undefined ? 0 : symbols.split(',').length;
  const isTooMuch = read.length > SYMBOLS_MAX || read.join(',').length > LENGTH_MAX;

  function apply(chosen: readonly string[]): void {
    setIsOpen(false);
    onChange(chosen.length === 0 ? undefined : chosen.join(','));
  }

  return (
    <Popover opened={isOpen} onChange={setIsOpen} width={340} shadow="md" trapFocus>
      <Popover.Target>
        <Button
          variant={count === 0 ? 'default' : 'light'}
          size="sm"
          leftSection={<IconEye size={16} aria-hidden />}
          onClick={() => {
            setText((symbols ?? '').replaceAll(',', ', '));
            setIsOpen(!isOpen);
          }}
        >
          {count === 0 ? 'Watch list' : `Watch list: ${count}`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 2rem)">
        <Textarea
          label="Only these companies"
          description="Paste symbols with anything between. They go into the address of this page, so a link or bookmark keeps them."
          autosize
          minRows={3}
          maxRows={10}
          data-autofocus
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          error={isTooMuch ? 'Too many for one page: some 300 symbols fit.' : undefined}
        />
        <Group justify="space-between" mt="sm">
          <Text size="xs" c="dimmed">
            {read.length === 1 ? '1 symbol' : `${read.length} symbols`}
          </Text>
          <Group gap="xs">
            <Button variant="default" size="xs" onClick={() => apply([])}>
              Show all
            </Button>
            <Button size="xs" disabled={isTooMuch} onClick={() => apply(read)}>
              Apply
            </Button>
          </Group>
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}
