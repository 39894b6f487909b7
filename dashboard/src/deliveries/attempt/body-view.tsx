import { Group, SegmentedControl, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { indentJson } from '../../format/indent-json.ts';
import { CopyText } from '../../ui/controls/copy-text.tsx';

/** A body as it was sent or answered; JSON can be read with lines, the rest as it is. */
export function BodyView(props: { text: string; what: string }): ReactNode {
  const { text, what } = props;
  const pretty = indentJson(text);
  const [shape, setShape] = useState('pretty');
  if (text === '') {
    return (
      <Text size="sm" c="dimmed">
        No body.
      </Text>
    );
  }
  const isPretty = pretty !== null && shape === 'pretty';
  return (
    <div>
      {pretty !== null && (
        <Group justify="space-between" mb="xs">
          <SegmentedControl
            size="xs"
            aria-label={`How to show ${what}`}
            data={[
              { value: 'pretty', label: 'Pretty' },
              { value: 'raw', label: 'Raw' },
            ]}
            value={shape}
            onChange={setShape}
          />
          {isPretty && (
            <Text size="xs" c="dimmed">
              Lines added for reading; signatures are of the raw text.
            </Text>
          )}
        </Group>
      )}
      <CopyText text={isPretty ? pretty : text} what={what} isBlock />
    </div>
  );
}
