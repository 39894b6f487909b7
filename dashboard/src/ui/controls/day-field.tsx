import { TextInput, type TextInputProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';

/** Before it lies a year whose four digits are not all typed yet, such as 0202. */
const FIRST_DAY = '1900-01-01';

/**
 * A day that stands in the address. What is typed stays as it is while the address follows, since a
 * field that is set back between two digits cannot be typed into; what is not finished when one
 * leaves is dropped.
 */
export function DayField(
  props: Omit<TextInputProps, 'type' | 'value' | 'onChange' | 'onBlur'> & {
    /** `2026-11-22`, or empty. */
    value: string;
    /** Told whole days, and an empty text when the day was taken out. */
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
