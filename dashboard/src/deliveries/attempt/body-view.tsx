import { Group, SegmentedControl, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { indentJson } from '../../format/indent-json.ts';
import { CopyText } from '../../ui/controls/copy-text.tsx';

/** Shows a request or response body. A JSON body can be indented. */
export function BodyView(props: { text: string; what: string }): ReactNode {
  const { text, what } = props;
  const pretty = indentJson(text);
  const [format, setFormat] = useState('pretty');
  if (text === '') {
    return (
      <Text size="sm" c="dimmed">
        No body.
      </Text>
    );
  }
  const isPretty = pretty !== null && format === 'pretty';
  return (
    <div>
      {pretty !== null && (
        <Group justify="space-between" mb="xs">
          <SegmentedControl
            size="xs"
            aria-label={`Format of ${what}`}
            data={[
              { value: 'pretty', label: 'Pretty' },
              { value: 'raw', label: 'Raw' },
            ]}
            value={format}
            onChange={setFormat}
          />
          {isPretty && (
            <Text size="xs" c="dimmed">
              Formatted for reading. Signatures cover the raw text.
            </Text>
          )}
        </Group>
      )}
      <CopyText text={isPretty ? pretty : text} what={what} isBlock />
    </div>
  );
}
