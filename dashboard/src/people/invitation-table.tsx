import type { ReactNode } from 'react';
import type { Invitation } from '../api/calls.gen.ts';
import { ConfirmButton } from '../ui/controls/confirm-button.tsx';
import { DataTable } from '../ui/tables/data-table.tsx';
import { LongText } from '../ui/values/long-text.tsx';
import { Moment } from '../ui/values/moment.tsx';
import { type PeopleScope, useWithdraw } from './people-calls.ts';

/** Links that still open. */
export function InvitationTable(props: {
  invitations: readonly Invitation[];
  scope: PeopleScope;
  canChange: boolean;
}): ReactNode {
  const { invitations, scope, canChange } = props;
  const withdraw = useWithdraw(scope);
  return (
    <DataTable
      caption="Invitations that still open"
      rows={invitations}
      keyOf={({ id }) => id}
      columns={[
        { name: 'Invited', render: ({ email }) => <LongText>{email}</LongText> },
        { name: 'As', render: ({ role }) => role, isExtra: true },
        { name: 'Made', render: ({ createdAt }) => <Moment at={createdAt} />, isExtra: true },
        { name: 'Ends', render: ({ expiresAt }) => <Moment at={expiresAt} /> },
        ...(canChange
          ? [
              {
                name: 'Acts',
                render: ({ id, email }: Invitation) => (
                  <ConfirmButton
                    label="Withdraw"
                    aria-label={`Withdraw the invitation of ${email}`}
                    title={`Withdraw the invitation of ${email}?`}
                    text="The link opens nothing any more. You can make another one."
                    confirmLabel="Withdraw"
                    onConfirm={() => withdraw.mutate({ path: { invitationId: id } })}
                  />
                ),
              },
            ]
          : []),
      ]}
    />
  );
}
