import { Alert } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ApiProblem, sayProblem } from '../api/problem.ts';

/** The fields of an endpoint that the service may have something against. */
type Field = 'url' | 'description';

/**
 * Shows why an endpoint was not taken: at the field that the service names, else as `shown` for the
 * whole form, since a service that does not answer says nothing about a URL.
 */
export function useRefusal(form: { setFieldError: (field: Field, text: string) => void }): {
  shown: ReactNode;
  tell: (error: unknown) => void;
  clear: () => void;
} {
  const [text, setText] = useState<string | null>(null);
  const shown = text !== null && (
    <Alert color="red" variant="light" role="alert">
      {text}
    </Alert>
  );
  return {
    shown,
    tell(error) {
      const field = error instanceof ApiProblem ? fieldOf(error.parameter) : null;
      if (field === null) setText(sayProblem(error));
      else form.setFieldError(field, sayProblem(error));
    },
    clear: () => setText(null),
  };
}

function fieldOf(parameter: string | null | undefined): Field | null {
  return parameter === 'url' || parameter === 'description' ? parameter : null;
}
