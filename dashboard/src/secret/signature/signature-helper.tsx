import { Button, Group, PasswordInput, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { diagnose, type Finding } from './diagnose.ts';
import { FindingText } from './finding-text.tsx';
import { HEADERS } from '../header-names.ts';
import { LatestRequest } from './latest-request.tsx';

const EMPTY = { body: '', timestamp: '', signature: '', secret: '' };
const isEmpty = (text: string): string | null => (text.trim() === '' ? 'Paste it here.' : null);

/** Tells why a signature does not match. It is computed on this page; nothing is sent. */
export function SignatureHelper({ endpointId }: { endpointId: string }): ReactNode {
  const [finding, setFinding] = useState<Finding | null>(null);
  const form = useForm({
    initialValues: EMPTY,
    validate: { body: isEmpty, timestamp: isEmpty, signature: isEmpty, secret: isEmpty },
    onValuesChange: () => setFinding(null),
  });

  if (!globalThis.isSecureContext) {
    return (
      <Text size="sm">
        Browsers compute signatures on pages that came over https or from this machine alone. Open
        this page so to use the helper.
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
          Paste a request that your code refused. It is computed here in the browser: nothing is
          sent or kept.
        </Text>
        <Textarea
          label="Raw body"
          description="Exactly as it came. Of a delivery: its request, raw."
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
          label="Secret of the endpoint"
          placeholder="whsec_…"
          autoComplete="off"
          {...form.getInputProps('secret')}
        />
        <Group>
          <Button type="submit">Check the signature</Button>
          <LatestRequest endpointId={endpointId} onFound={(found) => form.setValues(found)} />
        </Group>
        {finding !== null && <FindingText finding={finding} />}
      </Stack>
    </form>
  );
}
