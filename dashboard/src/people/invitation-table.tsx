import type { ReactNode } from 'react';
import type { Invitation } from '../api/calls.gen.ts';
import { ConfirmButton } from '../ui/controls/confirm-button.tsx';
import { DataTable } from '../ui/tables/data-table.tsx';
import { LongText } from '../ui/values/long-text.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { type PeopleScope, useWithdraw } from './people-calls.ts';

export function InvitationTable(props: {
  invitations: readonly Invitation[];
  scope: PeopleScope;
  canChange: boolean;
}): ReactNode {
  const { invitations, scope, canChange } = props;
  const withdraw = useWithdraw(scope);
  return (
    <DataTable
      caption="Pending invitations"
      rows={invitations}
      keyOf={({ id }) => id}
      columns={[
        { name: 'Email', render: ({ email }) => <LongText>{email}</LongText> },
        { name: 'Role', render: ({ role }) => role, isExtra: true },
        {
          name: 'Created',
          render: ({ createdAt }) => <RelativeTime at={createdAt} />,
          isExtra: true,
        },
        { name: 'Expires', render: ({ expiresAt }) => <RelativeTime at={expiresAt} /> },
        ...(canChange
          ? [
              {
                name: 'Actions',
                render: ({ id, email }: Invitation) => (
                  <ConfirmButton
                    label="Revoke"
                    aria-label={`Revoke the invitation for ${email}`}
                    title={`Revoke the invitation for ${email}?`}
                    text="The link stops working. You can create a new one."
                    confirmLabel="Revoke"
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
