import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { FormError } from '../ui/controls/form-parts.tsx';

/** Asks for a code of the authenticator app. Spaces are removed before it is submitted. */
export function CodeForm(props: {
  label: string;
  description?: string;
  confirmLabel: string;
  isDanger?: boolean;
  /** Shows the keypad for digits on a phone. Recovery codes also contain letters. */
  isNumeric?: boolean;
  isPending: boolean;
  error: Error | null;
  onSubmit: (code: string) => void;
  onCancel: () => void;
}): ReactNode {
  const [code, setCode] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit(code.replaceAll(/\s/g, ''));
      }}
    >
      <Stack gap="sm">
        <TextInput
          label={props.label}
          description={props.description}
          inputMode={props.isNumeric === true ? 'numeric' : 'text'}
          autoComplete="one-time-code"
          maxLength={100}
          required
          maw={300}
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
        <FormError error={props.error} />
        <Group gap="sm">
          <Button
            type="submit"
            {...(props.isDanger === true && { color: 'red' })}
            loading={props.isPending}
          >
            {props.confirmLabel}
          </Button>
          <Button variant="default" onClick={props.onCancel}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
