import { Button, Stack, TextInput } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { errorMessage } from '../api/problem.ts';
import { NewPassword } from './new-password.tsx';
import { FormError } from '../ui/controls/form-parts.tsx';

/** A form that sets a password; with `asksEmail` it also asks for an email address. */
export function PasswordForm(props: {
  asksEmail: boolean;
  label: string;
  onDone: (values: { email: string; password: string }) => Promise<void>;
  children?: ReactNode;
}): ReactNode {
  const { asksEmail, label, onDone, children } = props;
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    setIsBusy(true);
    setProblem(null);
    try {
      await onDone({ email, password });
    } catch (error) {
      setProblem(errorMessage(error));
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="md">
        <FormError error={problem} />
        {children}
        {asksEmail && (
          <TextInput
            label="Email"
            type="email"
            autoComplete="username"
            required
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
        )}
        <NewPassword value={password} onChange={setPassword} />
        <Button type="submit" fullWidth loading={isBusy}>
          {label}
        </Button>
      </Stack>
    </form>
  );
}
