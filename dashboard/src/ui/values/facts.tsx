import type { ReactNode } from 'react';
import styles from './facts.module.css';

/** Names with their values, under each other. */
export function Facts(props: { items: readonly { name: string; value: ReactNode }[] }): ReactNode {
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
