import { Table } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import styles from './data-table.module.css';

export interface Column<T> {
  name: string;
  render: (row: T) => ReactNode;
  /** True to right-align the column. */
  isNumber?: boolean;
  /** True to hide the column on narrow screens. */
  isExtra?: boolean;
  /** Makes the column sortable by the returned value. Nulls sort last. */
  sortBy?: (row: T) => string | number | null;
}

interface Sorting {
  name: string;
  isDescending: boolean;
}

/**
 * A table with a caption for screen readers. If it is too wide, it scrolls horizontally, including
 * by keyboard.
 */
export function DataTable<T>(props: {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
  /** Shown instead of the table if there are no rows. */
  empty?: ReactNode;
}): ReactNode {
  const { caption, columns, rows, keyOf, empty } = props;
  const [sorting, setSorting] = useState<Sorting | null>(null);
  if (rows.length === 0 && empty !== undefined) return empty;
  return (
    <section className={styles['scroll']} tabIndex={0} aria-label={caption}>
      <Table highlightOnHover>
        <caption className={styles['caption']}>{caption}</caption>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Head key={column.name} column={column} sorting={sorting} onSort={setSorting} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sortedBy(rows, columns, sorting).map((row) => (
            <Table.Tr key={keyOf(row)}>
              {columns.map((column) => (
                <Table.Td key={column.name} className={classOf(column)}>
                  {column.render(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function Head<T>(props: {
  column: Column<T>;
  sorting: Sorting | null;
  onSort: (sorting: Sorting) => void;
}): ReactNode {
  const { column, sorting, onSort } = props;
  const { name, sortBy, isNumber = false } = column;
  if (sortBy === undefined) {
    return (
      <Table.Th className={classOf(column)} scope="col">
        {name}
      </Table.Th>
    );
  }
  const isDescending = sorting?.name === name ? sorting.isDescending : null;
  // Columns with numbers are first sorted in descending order, and columns with text in ascending
  // order.
  const next = isDescending === null ? isNumber : !isDescending;
  return (
    <Table.Th
      className={classOf(column)}
      scope="col"
      aria-sort={isDescending === null ? 'none' : isDescending ? 'descending' : 'ascending'}
    >
      <button
        type="button"
        className={styles['sort']}
        onClick={() => onSort({ name, isDescending: next })}
      >
        {name} <span aria-hidden>{isDescending === null ? '↕' : isDescending ? '↓' : '↑'}</span>
      </button>
    </Table.Th>
  );
}

function sortedBy<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  sorting: Sorting | null,
): readonly T[] {
  const sortBy = columns.find(({ name }) => name === sorting?.name)?.sortBy;
  if (sorting === null || sortBy === undefined) return rows;
  const sign = sorting.isDescending ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [first, second] = [sortBy(a), sortBy(b)];
    if (first === second) return 0;
    if (first === null) return 1;
    if (second === null) return -1;
    return first < second ? -sign : sign;
  });
}

function classOf(column: { isNumber?: boolean; isExtra?: boolean }): string {
  return [
    styles['cell'],
    column.isNumber === true ? styles['number'] : '',
    column.isExtra === true ? styles['extra'] : '',
  ].join(' ');
}
