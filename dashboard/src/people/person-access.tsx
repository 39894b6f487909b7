import { Checkbox, Code, List, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { PersonAccess } from '../api/calls.gen.ts';
import { endpointName } from '../deliveries/use-endpoint-names.ts';
import type { Confirmation } from '../ui/controls/confirm-dialog.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import type { PersonAction } from './person-confirmations.ts';
import { type PeopleScope, usePersonAccess } from './people-calls.ts';

interface AccessProps {
  personId: string;
  scope: PeopleScope;
  revokeKeys: boolean;
  onChange: (revokeKeys: boolean) => void;
}

/**
 * Adds to the confirmation of an action by which a user leaves what keeps working, and the choice to revoke the
 * user's keys.
 */
export function withAccess(
  action: PersonAction,
  confirmation: Confirmation,
  props: AccessProps,
): Confirmation {
  if (action !== 'disable' && action !== 'remove') return confirmation;
  return {
    ...confirmation,
    text: (
      <>
        {confirmation.text}
        <AccessOfPerson {...props} />
      </>
    ),
  };
}

function AccessOfPerson(props: AccessProps): ReactNode {
  const { personId, scope, revokeKeys, onChange } = props;
  return (
    <Stack gap="sm" mt="md">
      <Checkbox
        label="Revoke the API keys that the user created"
        description="Programs that use these keys are rejected from the next request on."
        checked={revokeKeys}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <Loaded query={usePersonAccess(scope, personId)} height={40}>
        {(access) => <AccessList access={access} />}
      </Loaded>
    </Stack>
  );
}

function AccessList({ access: { keys, endpoints } }: { access: PersonAccess }): ReactNode {
  if (keys.length === 0 && endpoints.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        The user created no active API keys and no webhook endpoints.
      </Text>
    );
  }
  return (
    <>
      {keys.length > 0 && (
        <List size="sm" style={{ overflowWrap: 'anywhere' }} aria-label="API keys of the user">
          {keys.map(({ id, name, prefix, last4, scopes }) => (
            <List.Item key={id}>
              {name === '' ? 'Unnamed' : name}{' '}
              <Code fz="xs">
                {prefix}…{last4}
              </Code>{' '}
              ({scopes.join(', ')})
            </List.Item>
          ))}
        </List>
      )}
      {endpoints.length > 0 && (
        <>
          <Text size="sm">
            These webhook endpoints keep receiving deliveries. Delete those that only the user
            needs.
          </Text>
          <List
            size="sm"
            style={{ overflowWrap: 'anywhere' }}
            aria-label="Webhook endpoints of the user"
          >
            {endpoints.map((endpoint) => (
              <List.Item key={endpoint.id}>{endpointName(endpoint)}</List.Item>
            ))}
          </List>
        </>
      )}
    </>
  );
}
