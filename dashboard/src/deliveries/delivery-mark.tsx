import type { ReactNode } from 'react';
import { Mark } from '../ui/values/mark.tsx';
import { DELIVERY_STATES } from './delivery-state.ts';
import type { DeliveryState } from './delivery-state.ts';

export function DeliveryMark({ state }: { state: DeliveryState }): ReactNode {
  const { tone, text } = DELIVERY_STATES[state];
  return <Mark tone={tone}>{text}</Mark>;
}
