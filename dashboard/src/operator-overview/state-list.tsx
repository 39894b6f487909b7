import { Text, VisuallyHidden } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconExclamationCircle,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { AnchorLink } from '../ui/controls/links.tsx';
import type { StateLine } from './state-line.ts';
import styles from './state-list.module.css';

const SIGNS = {
  bad: { icon: IconExclamationCircle, said: 'Problem' },
  warn: { icon: IconAlertTriangle, said: 'Needs attention' },
  good: { icon: IconCircleCheck, said: 'OK' },
  plain: { icon: IconCircleDashed, said: 'Info' },
} as const;

/** One row per area: icon, name and status text. */
export function StateList({ lines }: { lines: readonly StateLine[] }): ReactNode {
  return (
    <ul className={styles['list']}>
      {lines.map((line) => (
        <Line key={line.name} line={line} />
      ))}
    </ul>
  );
}

function Line({ line: { name, tone, text, to } }: { line: StateLine }): ReactNode {
  const { icon: Icon, said } = SIGNS[tone];
  return (
    <li className={styles['line']} data-tone={tone}>
      <Icon className={styles['icon']} size={20} aria-hidden />
      <AnchorLink to={to} size="sm" fw={600} className={styles['name']}>
        {name}
      </AnchorLink>
      <Text size="sm" className={styles['text']}>
        <VisuallyHidden>{said}: </VisuallyHidden>
        {text}
      </Text>
    </li>
  );
}
