import type { ReactNode } from 'react';
import styles from './detail-list.module.css';

/** A list of names and their values. */
export function DetailList(props: {
  items: readonly { name: string; value: ReactNode }[];
}): ReactNode {
  return (
    <dl className={styles['facts']}>
      {props.items.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
