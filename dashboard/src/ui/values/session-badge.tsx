import { IconMoon, IconSun, IconSunHigh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { StatusBadge } from './status-badge.tsx';

/** The session of a report, in the colors for the hours around the trading day. */
export function SessionBadge(props: { session: string | null }): ReactNode {
  switch (props.session) {
    case 'time-pre-market':
      return (
        <StatusBadge tone="dawn">
          <IconSun size={13} aria-hidden /> before open
        </StatusBadge>
      );
    case 'time-after-hours':
      return (
        <StatusBadge tone="dusk">
          <IconMoon size={13} aria-hidden /> after close
        </StatusBadge>
      );
    case 'time-during-market':
      return (
        <StatusBadge tone="plain">
          <IconSunHigh size={13} aria-hidden /> during session
        </StatusBadge>
      );
    default:
      return <StatusBadge tone="plain">time unknown</StatusBadge>;
  }
}
