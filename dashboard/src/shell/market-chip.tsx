import { Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRead } from '../api/use-read.ts';
import { CALM_MS } from '../api/use-call.ts';
import { formatNewYork } from '../format/time.ts';
import { StatusBadge, type Tone } from '../ui/values/status-badge.tsx';

const STATES: Readonly<Record<string, { tone: Tone; text: string }>> = {
  'pre-market': { tone: 'dawn', text: 'Pre-market' },
  open: { tone: 'good', text: 'Market open' },
  'after-hours': { tone: 'dusk', text: 'After hours' },
  closed: { tone: 'plain', text: 'Market closed' },
};

/** The current U.S. market session; the tooltip shows the next change. */
export function MarketChip(): ReactNode {
  const { data } = useRead('market-status', {}, { everyMs: CALM_MS });
  if (data === undefined) return null;
  const state = STATES[data.currentMarketStatus] ?? { tone: 'plain', text: 'Market' };
  return (
    <Tooltip
      label={`${STATES[data.nextStatus]?.text ?? data.nextStatus} from ${formatNewYork(data.nextStatusAt)}`}
      events={{ hover: true, focus: true, touch: true }}
    >
      <output>
        <StatusBadge tone={state.tone}>{state.text}</StatusBadge>
      </output>
    </Tooltip>
  );
}
