import type { ReactNode } from 'react';
import type { Account } from '../api/calls.gen.ts';
import { useAction } from '../api/use-action.ts';
import { ConfirmButton } from '../ui/controls/confirm-button.tsx';
import { ButtonLink } from '../ui/controls/links.tsx';

const REFRESHES = ['customers-read', 'customers-list', 'keys-list', 'audit-list'] as const;

/** The actions that an operator can take on a customer. */
export function CustomerActions({ customer }: { customer: Account }): ReactNode {
  const { id, name, state } = customer;
  const suspend = useAction('customers-suspend', { refreshes: REFRESHES });
  const resume = useAction('customers-resume', { refreshes: REFRESHES });
  return (
    <>
      {state === 'active' ? (
        <ConfirmButton
          size="sm"
          label="Suspend"
          loading={suspend.isPending}
          title={`Suspend ${name}?`}
          text="All API keys are rejected immediately with 403 customer-suspended. Webhook deliveries are paused until you reactivate the account. Nothing is deleted, and members can still sign in."
          confirmLabel="Suspend"
          onConfirm={() => suspend.mutate({ path: { customerId: id } })}
        />
      ) : (
        <ConfirmButton
          size="sm"
          label="Reactivate"
          isDanger={false}
          loading={resume.isPending}
          title={`Reactivate ${name}?`}
          text="API keys work again immediately, and paused deliveries are sent with current data. Revoked and disabled keys stay that way."
          confirmLabel="Reactivate"
          onConfirm={() => resume.mutate({ path: { customerId: id } })}
        />
      )}
      <ButtonLink to="/" search={{ customer: id }} size="sm">
        View as customer
      </ButtonLink>
    </>
  );
}
