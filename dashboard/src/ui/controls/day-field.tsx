import { TextInput, type TextInputProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';

/** Any earlier date is taken as a year that isn't fully typed yet, such as 0202. */
const FIRST_DAY = '1900-01-01';

/**
 * A date input bound to the URL. It keeps the typed text while the URL updates, because resetting
 * the input would interrupt typing. Incomplete input is discarded on blur.
 */
export function DayField(
  props: Omit<TextInputProps, 'type' | 'value' | 'onChange' | 'onBlur'> & {
    /** A date such as `2026-11-22`, or an empty string. */
    value: string;
    /** Called with a complete date, or with an empty string when the input is cleared. */
    onChoose: (day: string) => void;
  },
): ReactNode {
  const { value, onChoose, ...input } = props;
  const [text, setText] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  if (lastValue !== value) {
    setLastValue(value);
    setText(value);
  }

  function type(day: string): void {
    setText(day);
    if (day === '' || day >= FIRST_DAY) onChoose(day);
  }

  return (
    <TextInput
      {...input}
      type="date"
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onBlur={() => setText(value)}
    />
  );
}
