import { Button, Group, NativeSelect, Popover, Text, Textarea } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useCall } from '../api/use-call.ts';
import { formatCount } from '../format/number.ts';
import { readSymbols } from './calendar-search.ts';

/** The maximum number of symbols per API request. */
const SYMBOLS_MAX = 500;
/**
 * The maximum length of the comma-separated list, to keep the URL short. Fits about 300 symbols.
 */
const LENGTH_MAX = 1_800;

/** Restricts the calendar to a saved watchlist or pasted symbols, which are stored in the URL. */
export function WatchList(props: {
  symbols: string | undefined;
  onChange: (symbols: string | undefined) => void;
}): ReactNode {
  const { symbols, onChange } = props;
  const [isOpen, setIsOpen] = useState(false);
  const [text, setText] = useState('');
  const parsed = readSymbols(text);
  const selected = symbols?.split(',') ?? [];
  const isTooMuch = parsed.length > SYMBOLS_MAX || parsed.join(',').length > LENGTH_MAX;

  function apply(next: readonly string[]): void {
    setIsOpen(false);
    onChange(next.length === 0 ? undefined : next.join(','));
  }

  return (
    <Popover opened={isOpen} onChange={setIsOpen} width={340} shadow="md" trapFocus>
      <Popover.Target>
        <Button
          variant={selected.length === 0 ? 'default' : 'light'}
          size="sm"
          leftSection={<IconEye size={16} aria-hidden />}
          onClick={() => {
            setText((symbols ?? '').replaceAll(',', ', '));
            setIsOpen(!isOpen);
          }}
        >
          {buttonLabel(selected)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 2rem)">
        <SavedWatchlists selected={selected} onSelect={(name) => apply([`@${name}`])} />
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
          <SymbolCount count={parsed.length} />
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

function SymbolCount({ count }: { count: number }): ReactNode {
  return (
    <Text size="xs" c="dimmed">
      {count === 1 ? '1 symbol' : `${count} symbols`}
    </Text>
  );
}

function buttonLabel(selected: readonly string[]): string {
  const [first] = selected;
  if (first === undefined) return 'Watchlist';
  if (selected.length === 1 && first.startsWith('@')) return first;
  return `Watchlist (${selected.length})`;
}

/** Selects a watchlist of the account. Renders nothing if there is none. */
function SavedWatchlists(props: {
  selected: readonly string[];
  onSelect: (name: string) => void;
}): ReactNode {
  const { selected, onSelect } = props;
  const { data: watchlists = [] } = useCall('watchlists-list', {});
  if (watchlists.length === 0) return null;
  const [first = ''] = selected.length === 1 ? selected : [];
  return (
    <NativeSelect
      label="Saved watchlist"
      mb="sm"
      value={first.startsWith('@') ? first.slice(1) : ''}
      onChange={({ currentTarget: { value } }) => {
        if (value !== '') onSelect(value);
      }}
      data={[
        { value: '', label: 'None' },
        ...watchlists.map(({ name, size }) => ({
          value: name,
          label: `@${name} (${formatCount(size)})`,
        })),
      ]}
    />
  );
}
