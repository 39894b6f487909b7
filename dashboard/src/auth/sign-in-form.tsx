import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { call } from '../api/call.ts';
import { errorMessage } from '../api/problem.ts';
import { FormError } from '../ui/controls/form-parts.tsx';

const EMPTY = { email: '', password: '', code: '' };

/** Signs in, with a code if the account has a second factor. */
export function SignInForm(props: {
  /** The address of the account, if the user can’t choose it. */
  email?: string;
  label: string;
  onDone: () => Promise<void> | void;
}): ReactNode {
  const { email: fixedEmail, label, onDone } = props;
  const [needsCode, setNeedsCode] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const form = useForm({ initialValues: { ...EMPTY, email: fixedEmail ?? '' } });

  async function signIn({ email, password, code }: typeof EMPTY): Promise<void> {
    setProblem(null);
    try {
      const body = needsCode ? { email, password, code: code.trim() } : { email, password };
      const { status } = await call('session-sign-in', { body }, { customerId: null });
      if (status === 'code-required') return setNeedsCode(true);
      await onDone();
    } catch (error) {
      setProblem(errorMessage(error));
    }
  }

  return (
    <form onSubmit={form.onSubmit((values) => void signIn(values))}>
      <Stack gap="md">
        <FormError error={problem} />
        <Credentials form={form} needsCode={needsCode} isFixed={fixedEmail !== undefined} />
        <Button type="submit" fullWidth loading={form.submitting}>
          {needsCode ? 'Verify' : label}
        </Button>
      </Stack>
    </form>
  );
}

function Credentials(props: {
  form: UseFormReturnType<typeof EMPTY>;
  needsCode: boolean;
  isFixed: boolean;
}): ReactNode {
  const { form, needsCode, isFixed } = props;
  return (
    <>
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        required
        disabled={needsCode}
        readOnly={isFixed}
        {...form.getInputProps('email')}
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        required
        disabled={needsCode}
        {...form.getInputProps('password')}
      />
      {needsCode && (
        <TextInput
          label="Code"
          description="The 6-digit code from your authenticator app, or a recovery code."
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          ref={takeFocus}
          {...form.getInputProps('code')}
        />
      )}
    </>
  );
}

/** Moves the focus to the code field, because the other fields are now disabled. */
function takeFocus(field: HTMLInputElement | null): void {
  field?.focus();
}
