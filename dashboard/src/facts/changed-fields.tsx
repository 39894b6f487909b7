import { VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatValue } from '../format/value.ts';
import styles from './changed-fields.module.css';

type Values = Readonly<Record<string, unknown>>;

/** Old and new values of the changed fields. */
export function ChangedFields(props: {
  fields: readonly string[];
  oldValues: Values;
  newValues: Values;
}): ReactNode {
  const { fields, oldValues, newValues } = props;
  return (
    <ul className={styles['list']}>
      {fields.map((field) => (
        <li key={field}>
          <span className={styles['field']}>{field}</span>
          <span className={styles['values']}>
            <del>{formatValue(oldValues[field])}</del>
            <span aria-hidden> → </span>
            <VisuallyHidden> changed to </VisuallyHidden>
            <ins>{formatValue(newValues[field])}</ins>
          </span>
        </li>
      ))}
    </ul>
  );
}
