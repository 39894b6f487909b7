import type { ReactNode } from 'react';
import { useAction } from '../api/use-action.ts';
import { CodeForm } from './code-form.tsx';

/** Disables two-factor authentication, which requires one of its codes. */
export function TwoFactorRemoval(props: { onDone: () => void; onCancel: () => void }): ReactNode {
  const remove = useAction('second-factor-remove', {
    refreshes: ['session-read'],
    successMessage: 'Two-factor authentication disabled',
    isQuiet: true,
    onDone: props.onDone,
  });
  return (
    <CodeForm
      label="Code from your authenticator app"
      description="You can also use a recovery code. Without two-factor authentication, you sign in with your password only."
      confirmLabel="Disable two-factor authentication"
      isDanger
      isPending={remove.isPending}
      error={remove.error}
      onSubmit={(code) => remove.mutate({ body: { code } })}
      onCancel={props.onCancel}
    />
  );
}
