import { Text, VisuallyHidden } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconExclamationCircle,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { AnchorLink } from '../ui/controls/links.tsx';
import type { StatusLine } from './status-line.ts';
import styles from './status-list.module.css';

const ICONS = {
  bad: { icon: IconExclamationCircle, label: 'Problem' },
  warn: { icon: IconAlertTriangle, label: 'Needs attention' },
  good: { icon: IconCircleCheck, label: 'OK' },
  plain: { icon: IconCircleDashed, label: 'Info' },
} as const;

/** Lists each area with an icon, its name, and its status text. */
export function StatusList({ lines }: { lines: readonly StatusLine[] }): ReactNode {
  return (
    <ul className={styles['list']}>
      {lines.map((line) => (
        <Line key={line.name} line={line} />
      ))}
    </ul>
  );
}

function Line({ line: { name, tone, text, to } }: { line: StatusLine }): ReactNode {
  const { icon: Icon, label } = ICONS[tone];
  return (
    <li className={styles['line']} data-tone={tone}>
      <Icon className={styles['icon']} size={20} aria-hidden />
      <AnchorLink to={to} size="sm" fw={600} className={styles['name']}>
        {name}
      </AnchorLink>
      <Text size="sm" className={styles['text']}>
        <VisuallyHidden>{label}: </VisuallyHidden>
        {text}
      </Text>
    </li>
  );
}
