import { Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import type { OneTimeLink } from '../api/calls.gen.ts';
import { errorMessage } from '../api/problem.ts';
import { useAction } from '../api/use-action.ts';
import type { PeopleScope } from './people-calls.ts';
import { DialogButtons } from '../ui/controls/form-parts.tsx';

const ROLES = [
  { value: 'owner', label: 'Owner: full access, including members and secrets' },
  { value: 'member', label: 'Member: API keys, usage, webhooks, deliveries' },
];

const EMPTY: { email: string; role: 'owner' | 'member' | null } = { email: '', role: null };

interface InviteFormProps {
  scope: PeopleScope;
  isOpen: boolean;
  onClose: () => void;
  onCreated: (email: string, link: OneTimeLink) => void;
  /** The role that is preselected. */
  firstRole?: 'owner' | 'member';
}

/** Creates an invitation link that the user passes on to the invited person. */
export function InviteForm(props: InviteFormProps): ReactNode {
  const { scope, isOpen, onClose, onCreated, firstRole = 'member' } = props;
  const form = useForm({
    initialValues: EMPTY,
    validate: { email: (email) => (email.includes('@') ? null : 'Enter an email address.') },
  });
  const invite = useInvite(scope);

  function submit({ email, role }: typeof EMPTY): void {
    invite.send(
      { email, role: role ?? firstRole },
      {
        onSuccess: (link) => {
          form.reset();
          onCreated(email, link);
        },
        onError: (error) => form.setFieldError('email', errorMessage(error)),
      },
    );
  }

  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={scope === 'service' ? 'Invite operator' : 'Invite member'}
    >
      <form onSubmit={form.onSubmit(submit)}>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            You’ll get an invitation link to share. No email is sent.
            {scope === 'service' &&
              ' Operators can view and change every account, so you need to confirm your password.'}
          </Text>
          <TextInput
            label="Email"
            type="email"
            required
            maxLength={254}
            data-autofocus
            {...form.getInputProps('email')}
          />
          {scope === 'account' && (
            <Select
              label="Role"
              data={ROLES}
              allowDeselect={false}
              {...form.getInputProps('role')}
              value={form.values.role ?? firstRole}
            />
          )}
          <DialogButtons submitLabel="Create link" onCancel={onClose} loading={invite.isPending} />
        </Stack>
      </form>
    </Modal>
  );
}

interface Callbacks {
  onSuccess: (link: OneTimeLink) => void;
  onError: (error: Error) => void;
}

/** Invites a member to the account, or an operator to the service. */
function useInvite(scope: PeopleScope) {
  const toAccount = useAction('people-invite', {
    refreshes: ['people-invitations-list'],
    isQuiet: true,
  });
  const toService = useAction('operators-invite', {
    refreshes: ['operators-invitations-list'],
    isQuiet: true,
  });
  return {
    isPending: toAccount.isPending || toService.isPending,
    send(invitation: { email: string; role: 'owner' | 'member' }, callbacks: Callbacks): void {
      const { email } = invitation;
      if (scope === 'service') toService.mutate({ body: { email } }, callbacks);
      else toAccount.mutate({ body: invitation }, callbacks);
    },
  };
}
