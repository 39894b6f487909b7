import type { ReactNode } from 'react';
import { StatusBadge } from '../ui/values/status-badge.tsx';
import { DELIVERY_STATES, type DeliveryState } from './delivery-state.ts';

export function DeliveryStatus({ state }: { state: DeliveryState }): ReactNode {
  const { tone, text } = DELIVERY_STATES[state];
  return <StatusBadge tone={tone}>{text}</StatusBadge>;
}
