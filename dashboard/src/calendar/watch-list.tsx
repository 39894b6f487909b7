import { Button, Group, Popover, Text, Textarea } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { readSymbols } from './calendar-search.ts';

/** The maximum number of symbols per API request. */
const SYMBOLS_MAX = 500;
/**
 * The maximum length of the comma-separated list, to keep the URL short. Fits about 300 symbols.
 */
const LENGTH_MAX = 1_800;

/** Restricts the calendar to pasted symbols, which are stored in the URL. */
export function WatchList(props: {
  symbols: string | undefined;
  onChange: (symbols: string | undefined) => void;
}): ReactNode {
  const { symbols, onChange } = props;
  const [isOpen, setIsOpen] = useState(false);
  const [text, setText] = useState('');
  const parsed = readSymbols(text);
  const count = symbols === undefined ? 0 : symbols.split(',').length;
  const isTooMuch = parsed.length > SYMBOLS_MAX || parsed.join(',').length > LENGTH_MAX;

  function apply(selected: readonly string[]): void {
    setIsOpen(false);
    onChange(selected.length === 0 ? undefined : selected.join(','));
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
          {count === 0 ? 'Watchlist' : `Watchlist (${count})`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 2rem)">
        <Textarea
          label="Symbols"
          description="Paste symbols with any separator. They are kept in the page’s URL, so you can bookmark or share it."
          autosize
          minRows={3}
          maxRows={10}
          data-autofocus
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          error={isTooMuch ? 'Too many symbols. The limit is about 300.' : undefined}
        />
        <Group justify="space-between" mt="sm">
          <Text size="xs" c="dimmed">
            {parsed.length === 1 ? '1 symbol' : `${parsed.length} symbols`}
          </Text>
          <Group gap="xs">
            <Button variant="default" size="xs" onClick={() => apply([])}>
              Show all
            </Button>
            <Button size="xs" disabled={isTooMuch} onClick={() => apply(parsed)}>
              Apply
            </Button>
          </Group>
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}
