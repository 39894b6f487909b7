import { PasswordInput, Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** The service's password policy: a minimum length, no composition rules. */
const PASSWORD_MIN = 15;

/** A new-password input with a length indicator. The service itself rejects common passwords. */
export function NewPassword(props: {
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
