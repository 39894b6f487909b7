import { Alert, Button, type ButtonProps, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { errorMessage } from '../../api/problem.ts';

/** Shows the error of a form. Renders nothing if there is no error. */
export function FormError(props: { error: Error | string | null; title?: string }): ReactNode {
  const { error, title } = props;
  if (error === null) return null;
  return (
    <Alert color="red" variant="light" role="alert" title={title}>
      {typeof error === 'string' ? error : errorMessage(error)}
    </Alert>
  );
}

/** The buttons of a form in a dialog. Other props are passed to the submit button. */
export function DialogButtons(
  props: { submitLabel: string; onCancel: () => void } & ButtonProps,
): ReactNode {
  const { submitLabel, onCancel, ...submit } = props;
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" {...submit}>
        {submitLabel}
      </Button>
    </Group>
  );
}
