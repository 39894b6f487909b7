import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCall } from '../../api/use-call.ts';
import { HEADERS } from '../header-names.ts';

interface SignedRequest {
  body: string;
  timestamp: string;
  signature: string;
}

/** Fills the form with the latest request sent to the endpoint. */
export function LatestRequest(props: {
  endpointId: string;
  onSelect: (request: SignedRequest) => void;
}): ReactNode {
  const { endpointId, onSelect } = props;
  const page = useCall('deliveries-list', { query: { endpointId, limit: 20 } });
  const deliveryId = page.data?.deliveries.find(({ attemptCount }) => attemptCount > 0)?.id ?? '';
  const path = { deliveryId };
  const delivery = useCall('deliveries-read', { path }, { isEnabled: deliveryId !== '' });
  const attempt = delivery.data?.attempts.findLast(({ requestHeaders }) => requestHeaders !== null);
  if (attempt === undefined) return null;
  const headers = new Map(attempt.requestHeaders);
  const request = {
    body: attempt.requestBody,
    timestamp: headers.get(HEADERS.timestamp) ?? '',
    signature: headers.get(HEADERS.signature) ?? '',
  };
  return (
    <Button variant="default" onClick={() => onSelect(request)}>
      Use latest request
    </Button>
  );
}
