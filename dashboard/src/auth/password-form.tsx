import { Button, Stack, TextInput, PasswordInput, Progress, Text } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { errorMessage } from '../api/problem.ts';
import { FormError } from '../ui/controls/form-parts.tsx';

/** A form for setting a password. With `asksEmail`, it also asks for an email address. */
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

/** The minimum length in the service's password policy, which has no composition rules. */
const PASSWORD_MIN = 15;

/**
 * A new-password input with a length indicator. Common passwords are rejected by the service, not
 * in the browser.
 */
function NewPassword(props: {
  value: string;
  onChange: (value: string) => void;
  error?: ReactNode;
  label?: string;
}): ReactNode {
  const { value, onChange, error, label = 'Password' } = props;
  const share = Math.min(1, value.length / PASSWORD_MIN);
  return (
    <Stack gap={6}>
      <PasswordInput
        label={label}
        description="At least 15 characters. A few random words are easy to remember."
        autoComplete="new-password"
        required
        minLength={PASSWORD_MIN}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
      />
      <Progress
        value={share * 100}
        size={4}
        color={share < 1 ? 'gray' : 'bell'}
        aria-label="Minimum length"
      />
      <Text size="xs" c="dimmed" aria-live="polite">
        {share < 1 ? `${PASSWORD_MIN - value.length} more characters` : 'Long enough'}
      </Text>
    </Stack>
  );
}
