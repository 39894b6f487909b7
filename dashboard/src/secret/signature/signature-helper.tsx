import { Button, Group, PasswordInput, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { diagnose, type Finding } from './diagnose.ts';
import { FindingText } from './finding-text.tsx';
import { HEADERS } from '../header-names.ts';
import { useCall } from '../../api/use-call.ts';

const EMPTY = { body: '', timestamp: '', signature: '', secret: '' };
const requireText = (text: string): string | null => (text.trim() === '' ? 'Required' : null);

/**
 * Explains why a signature doesn't match. Everything is calculated in the browser, and nothing is
 * sent.
 */
export function SignatureHelper({ endpointId }: { endpointId: string }): ReactNode {
  const [finding, setFinding] = useState<Finding | null>(null);
  const form = useForm({
    initialValues: EMPTY,
    validate: {
      body: requireText,
      timestamp: requireText,
      signature: requireText,
      secret: requireText,
    },
    onValuesChange: () => setFinding(null),
  });

  if (!globalThis.isSecureContext) {
    return (
      <Text size="sm">
        The signature helper needs HTTPS or localhost. Open this page over HTTPS to use it.
      </Text>
    );
  }
  return (
    <form
      onSubmit={form.onSubmit((values) => void diagnose(values).then(setFinding))}
      noValidate
      aria-label="Signature helper"
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          Paste a request that your code rejected. The check runs in your browser; nothing is sent
          or stored.
        </Text>
        <SignatureFields form={form} />
        <Group>
          <Button type="submit">Check signature</Button>
          <LatestRequest endpointId={endpointId} onSelect={(request) => form.setValues(request)} />
        </Group>
        {finding !== null && <FindingText finding={finding} />}
      </Stack>
    </form>
  );
}

function SignatureFields({ form }: { form: UseFormReturnType<typeof EMPTY> }): ReactNode {
  return (
    <>
      <Textarea
        label="Raw body"
        description="Exactly as received. For a delivery, copy the raw request body."
        autosize
        minRows={3}
        maxRows={10}
        spellCheck={false}
        {...form.getInputProps('body')}
      />
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <TextInput
          label={HEADERS.timestamp}
          placeholder="1795185000"
          miw={200}
          {...form.getInputProps('timestamp')}
        />
        <TextInput
          label={HEADERS.signature}
          placeholder="sha256=…"
          miw={200}
          {...form.getInputProps('signature')}
        />
      </Group>
      <PasswordInput
        label="Signing secret"
        placeholder="whsec_…"
        autoComplete="off"
        {...form.getInputProps('secret')}
      />
    </>
  );
}

interface SignedRequest {
  body: string;
  timestamp: string;
  signature: string;
}

/** Fills the form with the latest request sent to the endpoint. */
function LatestRequest(props: {
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
