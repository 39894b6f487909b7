import { Alert } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ApiProblem, errorMessage } from '../api/problem.ts';

/** The fields that the service validates. */
type Field = 'url' | 'description';

/**
 * Shows an error at the field that the service identifies. Any other error is returned as `notice`,
 * to be shown above the form.
 */
export function useFormError(form: { setFieldError: (field: Field, text: string) => void }): {
  notice: ReactNode;
  show: (error: unknown) => void;
  clear: () => void;
} {
  const [text, setText] = useState<string | null>(null);
  const notice = text !== null && (
    <Alert color="red" variant="light" role="alert">
      {text}
    </Alert>
  );
  return {
    notice,
    show(error) {
      const field = error instanceof ApiProblem ? fieldOf(error.parameter) : null;
      if (field === null) setText(errorMessage(error));
      else form.setFieldError(field, errorMessage(error));
    },
    clear: () => setText(null),
  };
}

function fieldOf(parameter: string | null | undefined): Field | null {
  return parameter === 'url' || parameter === 'description' ? parameter : null;
}
