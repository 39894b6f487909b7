import { Alert, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { WebhookEndpoint } from '../api/calls.gen.ts';
import { endpointName } from '../deliveries/use-endpoint-names.ts';
import { AnchorLink } from '../ui/controls/links.tsx';
import { Moment } from '../ui/values/moment.tsx';
import { standingOf } from './endpoint-standing.ts';

/** Endpoints that need somebody, each with what is the matter; nothing when all are well. */
export function EndpointAlerts(props: { endpoints: readonly WebhookEndpoint[] }): ReactNode {
  const ill = props.endpoints.filter((endpoint) => standingOf(endpoint).tone === 'bad');
  if (ill.length === 0) return null;
  return (
    <Stack gap="sm">
      {ill.map((endpoint) => (
        <EndpointAlert key={endpoint.id} of={endpoint} />
      ))}
    </Stack>
  );
}

function EndpointAlert({ of: endpoint }: { of: WebhookEndpoint }): ReactNode {
  const { failingSince } = endpoint;
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertTriangle />}
      title={
        <Text span inherit style={{ overflowWrap: 'anywhere' }}>
          {endpointName(endpoint)}: {standingOf(endpoint).text}
        </Text>
      }
    >
      <Text size="sm" component="div">
        {standingOf(endpoint).means}
        {failingSince !== null && (
          <>
            {' '}
            The first failure was <Moment at={failingSince} />.
          </>
        )}
      </Text>
      <Text size="sm" mt={4} component="div">
        <AnchorLink to="/webhooks/$endpointId" params={{ endpointId: endpoint.id }} size="sm">
          Look at the endpoint
        </AnchorLink>
        {' · '}
        <AnchorLink to="/deliveries" search={{ endpoint: endpoint.id }} size="sm">
          Its deliveries
        </AnchorLink>
      </Text>
    </Alert>
  );
}
