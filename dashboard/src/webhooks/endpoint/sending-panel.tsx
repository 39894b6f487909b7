import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WebhookEndpoint } from '../../api/calls.gen.ts';
import { useAct } from '../../api/use-act.ts';
import { endpointName } from '../../deliveries/use-endpoint-names.ts';
import { useSession } from '../../session/session.ts';
import { ConfirmButton } from '../../ui/controls/confirm-button.tsx';
import { Panel } from '../../ui/page/panel.tsx';

/** Whether it is sent to, and what the one who looks can do about it. */
export function SendingPanel({ of: endpoint }: { of: WebhookEndpoint }): ReactNode {
  const change = useAct('webhooks-update', {
    refreshes: ['webhooks-list', 'webhooks-read', 'deliveries-list'],
  });
  const set = (enabled: boolean): void =>
    change.mutate({ path: { endpointId: endpoint.id }, body: { enabled } });
  const does = { isPending: change.isPending, set };
  if (endpoint.state === 'disabled') return <Disabled of={endpoint} {...does} />;
  return (
    <Panel title="Pause">
      <Text size="sm" mb="md">
        While it is disabled nothing is sent. What comes is held, one delivery a company, and goes
        out with the data of the moment it is enabled again.
      </Text>
      <ConfirmButton
        size="sm"
        label="Disable"
        loading={change.isPending}
        title={`Disable ${endpointName(endpoint)}?`}
        text="Nothing is sent to it until it is enabled again. What comes meanwhile is held, one delivery a company."
        confirmLabel="Disable"
        onConfirm={() => set(false)}
      />
    </Panel>
  );
}

/**
 * What an operator disabled only operators enable; and an operator can take over what is disabled
 * already, or its owner would enable it again.
 */
function Disabled(props: {
  of: WebhookEndpoint;
  isPending: boolean;
  set: (enabled: boolean) => void;
}): ReactNode {
  const { of: endpoint, isPending, set } = props;
  const isOperator = useSession().role === 'operator';
  const isByOperator = endpoint.disabledReason === 'operator';
  return (
    <Panel title="Disabled">
      <Text size="sm" mb="md">
        {isByOperator && 'An operator disabled it, and only an operator can enable it. '}
        Deliveries are held, one a company. When it is enabled they go out with the data of that
        moment, not with each change in between.
      </Text>
      {(isOperator || !isByOperator) && (
        <Group gap="sm">
          <Button onClick={() => set(true)} loading={isPending}>
            Enable
          </Button>
          {isOperator && !isByOperator && (
            <ConfirmButton
              size="sm"
              label="Disable as an operator"
              loading={isPending}
              title={`Disable ${endpointName(endpoint)} as an operator?`}
              text="It stays disabled, and from then on only an operator can enable it: its owner cannot."
              confirmLabel="Disable"
              onConfirm={() => set(false)}
            />
          )}
        </Group>
      )}
    </Panel>
  );
}
