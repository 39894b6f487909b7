import { Text, VisuallyHidden } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBulb,
  IconCircleCheck,
  IconExclamationCircle,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { StrongLink } from '../ui/controls/links.tsx';
import type { Issue } from './issues.ts';
import styles from './issue-list.module.css';

const ICONS = {
  bad: { icon: IconExclamationCircle, label: 'Problem: ' },
  warn: { icon: IconAlertTriangle, label: 'Warning: ' },
  plain: { icon: IconBulb, label: 'Tip: ' },
} as const;

const LINK_LABELS = {
  '/usage': 'Usage',
  '/keys': 'API keys',
  '/webhooks': 'Endpoints',
  '/security': 'Security',
} as const;

/** Lists the account's issues, worst first, or says that there are none. */
export function IssueList({ issues }: { issues: readonly Issue[] }): ReactNode {
  if (issues.length === 0) {
    return (
      <div className={styles['item']}>
        <IconCircleCheck className={styles['icon']} data-tone="good" size={20} aria-hidden />
        <Text size="sm">No issues with quotas, API keys, endpoints or data.</Text>
      </div>
    );
  }
  return (
    <ul className={styles['list']}>
      {issues.map((issue) => (
        <IssueItem key={issue.id} issue={issue} />
      ))}
    </ul>
  );
}

function IssueItem({ issue: { tone, title, text, to } }: { issue: Issue }): ReactNode {
  const { icon: Icon, label } = ICONS[tone];
  return (
    <li className={styles['item']}>
      <Icon className={styles['icon']} data-tone={tone} size={20} aria-hidden />
      <div className={styles['words']}>
        <Text size="sm" fw={600}>
          <VisuallyHidden>{label}</VisuallyHidden>
          {title}
        </Text>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      </div>
      {to !== null && <StrongLink to={to}>{LINK_LABELS[to]}</StrongLink>}
    </li>
  );
}
