import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatValue, isSame } from '../../format/value.ts';
import styles from './side-by-side.module.css';

export interface Side {
  key: string;
  head: ReactNode;
  values: Readonly<Record<string, unknown>>;
  /** True for the reference column. */
  isMain?: boolean;
}

/**
 * Compares several records field by field. Values that differ from the first column are marked.
 * Missing values are left empty.
 */
export function SideBySide(props: { caption: string; sides: readonly Side[] }): ReactNode {
  const { caption, sides } = props;
  const [first] = sides;
  if (first === undefined) return null;
  return (
    <section className={styles['scroll']} tabIndex={0} aria-label={caption}>
      <table className={styles['table']}>
        <caption className={styles['caption']}>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Field</th>
            {sides.map(({ key, head, isMain = false }) => (
              <th key={key} scope="col" data-main={isMain}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {fieldsOf(sides).map((field) => (
            <tr key={field}>
              <th scope="row">{field}</th>
              {sides.map((side) => (
                <Value key={side.key} side={side} field={field} first={first} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Value(props: { side: Side; field: string; first: Side }): ReactNode {
  const { side, field, first } = props;
  const value = side.values[field];
  // A field that is missing from the first column doesn't count as a difference.
  const reference = first.values[field];
  const differs = reference !== undefined && hasValue(value) && !isSame(value, reference);
  return (
    <td data-main={side.isMain ?? false} data-differs={differs}>
      {hasValue(value) ? formatValue(value) : <span className={styles['none']}>–</span>}
      {differs && <VisuallyHidden> (differs)</VisuallyHidden>}
    </td>
  );
}

/** Returns the fields that have a value on any side, starting with the fields of the first side. */
function fieldsOf(sides: readonly Side[]): string[] {
  const fields = sides.flatMap(({ values }) =>
    Object.keys(values).filter((field) => hasValue(values[field])),
  );
  return [...new Set(fields)];
}

function hasValue(value: unknown): boolean {
  return value !== null && value !== undefined;
}
