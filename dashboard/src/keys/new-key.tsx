import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CopyText } from '../ui/controls/copy-text.tsx';

/** Shows a newly created key, which can't be shown again. */
export function NewKey(props: { text: string; onDone: () => void }): ReactNode {
  const { text, onDone } = props;
  const curl = `curl '${window.location.origin}/v1/market-status' -H 'X-Api-Key: ${text}'`;
  return (
    <Alert variant="light" icon={<IconKey />} title="Copy your API key now">
      <Stack gap="sm">
        <Text size="sm">We store only a hash of it, so it can’t be shown again.</Text>
        <CopyText text={text} what="API key" />
        <Text size="sm">Try it:</Text>
        <CopyText text={curl} what="command" />
        <Group>
          <Button size="xs" onClick={onDone}>
            Done
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
