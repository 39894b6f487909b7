import { TextInput, type TextInputProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';

/** Earlier dates are years that aren't fully typed yet, such as 0202. */
const FIRST_DAY = '1900-01-01';

/**
 * A date input bound to the URL. The typed text is kept while the URL updates, since resetting it
 * would interrupt typing. Incomplete input is discarded on blur.
 */
export function DayField(
  props: Omit<TextInputProps, 'type' | 'value' | 'onChange' | 'onBlur'> & {
    /** `2026-11-22`, or empty. */
    value: string;
    /** Called with complete dates, and with an empty string when cleared. */
    onChoose: (day: string) => void;
  },
): ReactNode {
  const { value, onChoose, ...input } = props;
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setTyped(value);
  }

  function type(day: string): void {
    setTyped(day);
    if (day === '' || day >= FIRST_DAY) onChoose(day);
  }

  return (
    <TextInput
      {...input}
      type="date"
      value={typed}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onBlur={() => setTyped(value)}
    />
  );
}
