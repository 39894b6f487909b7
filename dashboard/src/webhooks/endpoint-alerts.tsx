import { Alert, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { WebhookEndpoint } from '../api/calls.gen.ts';
import { endpointName } from '../deliveries/use-endpoint-names.ts';
import { AnchorLink } from '../ui/controls/links.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';
import { endpointStatus } from './endpoint-status.ts';

/** Shows alerts for endpoints with problems, or nothing if all are healthy. */
export function EndpointAlerts(props: { endpoints: readonly WebhookEndpoint[] }): ReactNode {
  const unhealthy = props.endpoints.filter((endpoint) => endpointStatus(endpoint).tone === 'bad');
  if (unhealthy.length === 0) return null;
  return (
    <Stack gap="sm">
      {unhealthy.map((endpoint) => (
        <EndpointAlert key={endpoint.id} endpoint={endpoint} />
      ))}
    </Stack>
  );
}

function EndpointAlert({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const { failingSince } = endpoint;
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle />}
      title={
        <Text span inherit style={{ overflowWrap: 'anywhere' }}>
          {endpointName(endpoint)}: {endpointStatus(endpoint).text}
        </Text>
      }
    >
      <Text size="sm" component="div">
        {endpointStatus(endpoint).means}
        {failingSince !== null && (
          <>
            {' '}
            First failure: <RelativeTime at={failingSince} />.
          </>
        )}
      </Text>
      <Text size="sm" mt={4} component="div">
        <AnchorLink to="/webhooks/$endpointId" params={{ endpointId: endpoint.id }} size="sm">
          View endpoint
        </AnchorLink>
        {' · '}
        <AnchorLink to="/deliveries" search={{ endpoint: endpoint.id }} size="sm">
          View deliveries
        </AnchorLink>
      </Text>
    </Alert>
  );
}
