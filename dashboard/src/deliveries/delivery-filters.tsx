import { Button, Group, Select, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import styles from './delivery-filters.module.css';
import { type DeliverySearch, isFiltered, type Span, SPANS } from './delivery-search.ts';
import { isDeliveryState, STATE_CHOICES } from './delivery-state.ts';

const TIMES = [
  ...Object.entries(SPANS).map(([value, { label }]) => ({ value, label })),
  { value: 'between', label: 'Custom…' },
];
const TESTS = [
  { value: 'true', label: 'Tests only' },
  { value: 'false', label: 'Exclude tests' },
];

interface DeliveryFiltersProps {
  value: DeliverySearch;
  /**
   * Endpoint names by ID. Null in lists that span several accounts, in which deliveries can't be
   * filtered by endpoint.
   */
  endpoints: ReadonlyMap<string, string> | null;
  /** An additional filter, shown first. */
  children?: ReactNode;
  onChange: (search: DeliverySearch) => void;
}

/** The delivery log filters. Changing a filter returns to the first page. */
export function DeliveryFilters(props: DeliveryFiltersProps): ReactNode {
  const { value, endpoints, children, onChange } = props;
  const { state, endpoint, symbol, test, span, from, to } = value;
  const { isCustom, set, chooseTime, clear } = useFilterState(value, onChange);

  return (
    <div className={styles['filters']}>
      {children}
      <Select
        label="Created"
        placeholder="Any time"
        data={TIMES}
        value={span ?? (isCustom ? 'between' : null)}
        onChange={chooseTime}
        clearable
      />
      <Select
        label="Status"
        placeholder="Any"
        data={STATE_CHOICES}
        value={state ?? null}
        onChange={(next) => set({ state: isDeliveryState(next) ? next : undefined })}
        clearable
      />
      {endpoints !== null && (
        <Select
          label="Endpoint"
          placeholder="Any"
          data={[...endpoints].map(([id, label]) => ({ value: id, label }))}
          value={endpoint ?? null}
          onChange={(next) => set({ endpoint: next ?? undefined })}
          clearable
          searchable={endpoints.size > 8}
        />
      )}
      <SymbolFilter
        key={symbol ?? ''}
        value={symbol ?? ''}
        onChange={(text) => set({ symbol: text === '' ? undefined : text })}
      />
      <Select
        label="Tests"
        placeholder="Include tests"
        data={TESTS}
        value={test === undefined ? null : String(test)}
        onChange={(next) => set({ test: next === null ? undefined : next === 'true' })}
        clearable
      />
      {isCustom && span === undefined && <CustomRange from={from} to={to} onChange={set} />}
      {isFiltered(value) && (
        <Group align="flex-end">
          <Button variant="subtle" onClick={clear}>
            Clear filters
          </Button>
        </Group>
      )}
    </div>
  );
}

type Change = { [K in keyof DeliverySearch]?: DeliverySearch[K] | undefined };

function useFilterState(value: DeliverySearch, onChange: (search: DeliverySearch) => void) {
  const { from, to } = value;
  const [isCustom, setIsCustom] = useState(from !== undefined || to !== undefined);

  /** Changes filters. Undefined values are removed from the URL. */
  function set(change: Change): void {
    const { before: _, ...filters } = value;
    const entries = Object.entries({ ...filters, ...change }).filter(
      ([, filterValue]) => filterValue !== undefined,
    );
    onChange(Object.fromEntries(entries));
  }

  return {
    isCustom,
    set,
    chooseTime(choice: string | null): void {
      setIsCustom(choice === 'between');
      const span = choice === null || choice === 'between' ? undefined : (choice as Span);
      set({ span, from: undefined, to: undefined });
    },
    clear(): void {
      setIsCustom(false);
      onChange({});
    },
  };
}

function CustomRange(props: {
  from: string | undefined;
  to: string | undefined;
  onChange: (change: Change) => void;
}): ReactNode {
  const { from, to, onChange } = props;
  return (
    <>
      <TextInput
        type="datetime-local"
        className={styles['moment']}
        label="From"
        value={toLocal(from)}
        onChange={({ currentTarget }) => onChange({ from: toInstant(currentTarget.value) })}
      />
      <TextInput
        type="datetime-local"
        className={styles['moment']}
        label="To"
        value={toLocal(to)}
        onChange={({ currentTarget }) => onChange({ to: toInstant(currentTarget.value) })}
      />
    </>
  );
}

/** Filters by symbol. Applies the typed text on Enter and on blur. */
function SymbolFilter(props: { value: string; onChange: (symbol: string) => void }): ReactNode {
  const [text, setText] = useState(props.value);
  const commit = (): void => {
    const symbol = text.trim().toUpperCase();
    if (symbol !== props.value) props.onChange(symbol);
  };
  return (
    <TextInput
      label="Company"
      placeholder="Symbol"
      value={text}
      maxLength={24}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={commit}
      onKeyDown={({ key }) => {
        if (key === 'Enter') commit();
      }}
    />
  );
}

/** Formats an instant for a `datetime-local` input. */
function toLocal(instant: string | undefined): string {
  if (instant === undefined) return '';
  const at = new Date(instant);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function toInstant(local: string): string | undefined {
  return local === '' ? undefined : new Date(local).toISOString();
}
