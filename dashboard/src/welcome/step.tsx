import { Title, VisuallyHidden } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './step.module.css';

/** An onboarding step. Later steps stay closed. */
export function Step(props: {
  number: number;
  title: string;
  state: 'done' | 'now' | 'later';
  children?: ReactNode;
}): ReactNode {
  const { number, title, state, children } = props;
  return (
    <li
      className={styles['step']}
      data-state={state}
      aria-current={state === 'now' ? 'step' : undefined}
    >
      <span className={styles['badge']} aria-hidden>
        {state === 'done' ? <IconCheck size={18} /> : number}
      </span>
      <div className={styles['head']}>
        <Title order={2} fz={17} c={state === 'later' ? 'dimmed' : 'inherit'}>
          {title}
          <VisuallyHidden>{SPOKEN[state]}</VisuallyHidden>
        </Title>
      </div>
      {state !== 'later' && children !== undefined && (
        <div className={styles['body']}>{children}</div>
      )}
    </li>
  );
}

const SPOKEN = { done: ', done', now: ', current', later: ', not started' } as const;
