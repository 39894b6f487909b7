import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload, IconLifebuoy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { brand } from '../theme/brand.ts';
import { CopyText } from '../ui/controls/copy-text.tsx';

/** Shows newly generated recovery codes, which can't be shown again. */
export function RecoveryCodes(props: { codes: readonly string[]; onDone: () => void }): ReactNode {
  const { codes, onDone } = props;
  const text = codes.join('\n');
  return (
    <Alert
      variant="light"
      icon={<IconLifebuoy aria-hidden />}
      title="Save your recovery codes"
      role="status"
    >
      <Stack gap="sm" maw={520}>
        <Text size="sm">
          Use a recovery code if you lose your device. Each code works once. They are shown only
          now, so store them somewhere safe.
        </Text>
        <CopyText text={text} what="recovery codes" isBlock />
        <Group gap="sm">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconDownload size={14} aria-hidden />}
            onClick={() => download(text)}
          >
            Download
          </Button>
          <Button size="xs" onClick={onDone}>
            Done
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

function download(text: string): void {
  const address = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `${brand.toLowerCase().replaceAll(/\W+/g, '-')}-recovery-codes.txt`;
  link.click();
  URL.revokeObjectURL(address);
}
