import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Delivery } from '../api/calls.gen.ts';
import { useAction } from '../api/use-action.ts';
import { ConfirmButton } from '../ui/controls/confirm-button.tsx';
import { isOpen } from './delivery-state.ts';

/** Redelivers a finished delivery and opens the new delivery. */
export function RedeliverButton({ delivery }: { delivery: Delivery }): ReactNode {
  const navigate = useNavigate();
  const redeliver = useAction('deliveries-redeliver', {
    refreshes: ['deliveries-list', 'webhooks-list'],
    successMessage: 'Delivery created',
    onDone({ deliveryId }) {
      void navigate({ to: '/deliveries/$deliveryId', params: { deliveryId } });
    },
  });
  if (isOpen(delivery.state)) return null;
  return (
    <ConfirmButton
      size="sm"
      isDanger={false}
      loading={redeliver.isPending}
      label="Redeliver"
      title={`Redeliver ${delivery.symbol}?`}
      text={
        <>
          This creates a new delivery with its own ID, the current data and all fields, so your
          deduplication won’t drop it. If a delivery for {delivery.symbol} is already pending, that
          one is used.
        </>
      }
      confirmLabel="Redeliver"
      onConfirm={() => redeliver.mutate({ path: { deliveryId: delivery.id } })}
    />
  );
}
