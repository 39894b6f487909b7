import type { ReactNode } from 'react';
import type { Account } from '../api/calls.gen.ts';
import { useAct } from '../api/use-act.ts';
import { ConfirmButton } from '../ui/controls/confirm-button.tsx';
import { ButtonLink } from '../ui/controls/links.tsx';

const REFRESHES = ['customers-read', 'customers-list', 'keys-list', 'audit-list'] as const;

/** What an operator does with a customer as a whole. */
export function CustomerActs({ of: customer }: { of: Account }): ReactNode {
  const { id, name, state } = customer;
  const suspend = useAct('customers-suspend', { refreshes: REFRESHES });
  const resume = useAct('customers-resume', { refreshes: REFRESHES });
  return (
    <>
      {state === 'active' ? (
        <ConfirmButton
          size="sm"
          label="Suspend"
          loading={suspend.isPending}
          title={`Suspend ${name}?`}
          text="All its keys are refused from the next request on, with 403 customer-suspended. Webhooks wait: what is due goes out when it is resumed. Nothing is deleted, and its people can still sign in and look."
          confirmLabel="Suspend"
          onConfirm={() => suspend.mutate({ path: { customerId: id } })}
        />
      ) : (
        <ConfirmButton
          size="sm"
          label="Resume"
          isDanger={false}
          loading={resume.isPending}
          title={`Resume ${name}?`}
          text="Its keys are taken again from the next request on, and the webhooks that wait go out, with the data of that moment. Keys that were revoked or disabled stay so."
          confirmLabel="Resume"
          onConfirm={() => resume.mutate({ path: { customerId: id } })}
        />
      )}
      <ButtonLink to="/" search={{ customer: id }} size="sm">
        Look at their dashboard
      </ButtonLink>
    </>
  );
}
