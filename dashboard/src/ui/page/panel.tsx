import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './panel.module.css';

/** A card. `isFlush` removes the padding, for example around tables. */
export function Panel(props: {
  title?: string;
  aside?: ReactNode;
  isFlush?: boolean;
  children: ReactNode;
}): ReactNode {
  const { title, aside, isFlush = false, children } = props;
  return (
    <section className={styles['panel']} aria-label={title}>
      {(title !== undefined || aside !== undefined) && (
        <header className={styles['head']}>
          <Title order={2} fz={16}>
            {title}
          </Title>
          {aside}
        </header>
      )}
      <div className={isFlush ? styles['flush'] : styles['body']}>{children}</div>
    </section>
  );
}
