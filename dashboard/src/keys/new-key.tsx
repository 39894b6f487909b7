import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CopyText } from '../ui/controls/copy-text.tsx';

/** A key that was just made: here and never again. */
export function NewKey(props: { text: string; onDone: () => void }): ReactNode {
  const { text, onDone } = props;
  const curl = `curl '${window.location.origin}/v1/market-status' -H 'X-Api-Key: ${text}'`;
  return (
    <Alert variant="light" icon={<IconKey />} title="Copy the key now">
      <Stack gap="sm">
        <Text size="sm">
          It is shown this once: the service keeps only what recognises it. Lost keys are replaced,
          not found.
        </Text>
        <CopyText text={text} what="the key" />
        <Text size="sm">Try it:</Text>
        <CopyText text={curl} what="the command" />
        <Group>
          <Button size="xs" onClick={onDone}>
            I have it
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
