import { Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { WebhookEndpoint } from '../../api/calls.gen.ts';
import { useAction } from '../../api/use-action.ts';
import { endpointName } from '../../deliveries/use-endpoint-names.ts';
import { useSession } from '../../session/session.ts';
import { ConfirmButton } from '../../ui/controls/confirm-button.tsx';
import { Panel } from '../../ui/page/panel.tsx';

/** Enables or disables the endpoint. */
export function EnablePanel({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const change = useAction('webhooks-update', {
    refreshes: ['webhooks-list', 'webhooks-read', 'deliveries-list'],
  });
  const set = (enabled: boolean): void =>
    change.mutate({ path: { endpointId: endpoint.id }, body: { enabled } });
  const actions = { isPending: change.isPending, set };
  if (endpoint.state === 'disabled') return <Disabled endpoint={endpoint} {...actions} />;
  return (
    <Panel title="Disable endpoint">
      <Text size="sm" mb="md">
        While the endpoint is disabled, deliveries are paused, one per company. When you enable it,
        they are sent with current data.
      </Text>
      <ConfirmButton
        size="sm"
        label="Disable"
        loading={change.isPending}
        title={`Disable ${endpointName(endpoint)}?`}
        text="Nothing is sent until you enable it again. Until then, deliveries are paused, one per company."
        confirmLabel="Disable"
        onConfirm={() => set(false)}
      />
    </Panel>
  );
}

/**
 * Shown for a disabled endpoint. Only operators can enable an endpoint that an operator disabled.
 * An operator can also take over an endpoint that is already disabled, so that its owner can't
 * enable it.
 */
function Disabled(props: {
  endpoint: WebhookEndpoint;
  isPending: boolean;
  set: (enabled: boolean) => void;
}): ReactNode {
  const { endpoint, isPending, set } = props;
  const isOperator = useSession().role === 'operator';
  const isByOperator = endpoint.disabledReason === 'operator';
  return (
    <Panel title="Endpoint disabled">
      <Text size="sm" mb="md">
        {isByOperator &&
          'This endpoint was disabled by an operator, and only an operator can enable it. '}
        Deliveries are paused, one per company. When the endpoint is enabled, they are sent with
        current data, without the changes in between.
      </Text>
      {(isOperator || !isByOperator) && (
        <Group gap="sm">
          <Button onClick={() => set(true)} loading={isPending}>
            Enable
          </Button>
          {isOperator && !isByOperator && (
            <ConfirmButton
              size="sm"
              label="Disable as operator"
              loading={isPending}
              title={`Disable ${endpointName(endpoint)} as operator?`}
              text="The endpoint stays disabled, and only an operator can enable it. Its owner can’t."
              confirmLabel="Disable"
              onConfirm={() => set(false)}
            />
          )}
        </Group>
      )}
    </Panel>
  );
}
