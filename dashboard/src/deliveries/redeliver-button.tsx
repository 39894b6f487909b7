import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Delivery } from '../api/calls.gen.ts';
import { useAct } from '../api/use-act.ts';
import { ConfirmButton } from '../ui/controls/confirm-button.tsx';
import { isOpen } from './delivery-state.ts';

/** Sends again what a finished delivery was about, and goes to the new one. */
export function RedeliverButton({ of: delivery }: { of: Delivery }): ReactNode {
  const navigate = useNavigate();
  const redeliver = useAct('deliveries-redeliver', {
    refreshes: ['deliveries-list', 'webhooks-list'],
    says: 'A new delivery was opened.',
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
      title={`Send ${delivery.symbol} again?`}
      text={
        <>
          A new delivery is opened, with an id of its own. It has the data as they stand now, and
          names all fields, so that a receiver which drops repetitions takes it. If one for{' '}
          {delivery.symbol} waits already, that one becomes it.
        </>
      }
      confirmLabel="Send again"
      onConfirm={() => redeliver.mutate({ path: { deliveryId: delivery.id } })}
    />
  );
}
