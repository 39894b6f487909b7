import { IconMoon, IconSun, IconSunHigh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Mark } from './mark.tsx';

/** The report session, in the colors of the hours around the trading day. */
export function SessionMark(props: { session: string | null }): ReactNode {
  switch (props.session) {
    case 'time-pre-market':
      return (
        <Mark tone="dawn">
          <IconSun size={13} aria-hidden /> before open
        </Mark>
      );
    case 'time-after-hours':
      return (
        <Mark tone="dusk">
          <IconMoon size={13} aria-hidden /> after close
        </Mark>
      );
    case 'time-during-market':
      return (
        <Mark tone="plain">
          <IconSunHigh size={13} aria-hidden /> during session
        </Mark>
      );
    default:
      return <Mark tone="plain">time unknown</Mark>;
  }
}
