import { Checkbox, Select } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import type { WebhookEndpoint } from '../api/calls.gen.ts';

type Formats = Pick<WebhookEndpoint, 'payloadFormat' | 'standardWebhooks'>;

/** The form of an endpoint's requests. */
export function FormatFields<Values extends Formats>(props: {
  form: UseFormReturnType<Values>;
}): ReactNode {
  const { form } = props;
  return (
    <>
      <Select
        label="Payload format"
        data={[
          { value: 'json', label: 'JSON' },
          { value: 'cloudevents', label: 'CloudEvents 1.0' },
        ]}
        allowDeselect={false}
        {...form.getInputProps('payloadFormat')}
      />
      <Checkbox
        label="Standard Webhooks headers"
        description="Adds webhook-id, webhook-timestamp and webhook-signature, for libraries that verify them."
        {...form.getInputProps('standardWebhooks', { type: 'checkbox' })}
      />
    </>
  );
}
