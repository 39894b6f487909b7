import { Anchor, Button, Group, Popover, Stack, Text } from '@mantine/core';
import { IconTerminal2 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { addressOfRead, pathOfRead, referenceOfRead } from '../../api/read-paths.ts';
import type { Reads } from '../../api/reads.gen.ts';
import { CopyText } from './copy-text.tsx';

export interface ReadRequest {
  endpoint: keyof Reads;
  /** What it is asked with, the parts of its path too. */
  query: object;
}

/** The command that asks what the screen shows. */
export function SameRequest(props: ReadRequest & { isQuiet?: boolean }): ReactNode {
  const { endpoint, query, isQuiet = false } = props;
  return (
    <Popover width={460} position="bottom-end" shadow="md" withArrow trapFocus>
      <Popover.Target>
        <Button
          variant={isQuiet ? 'subtle' : 'default'}
          size={isQuiet ? 'compact-xs' : 'xs'}
          leftSection={<IconTerminal2 size={isQuiet ? 13 : 15} aria-hidden />}
        >
          As curl
        </Button>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 2rem)">
        <Stack gap="xs">
          <Text size="sm">This request answers what you see. Put a key of yours into KEY.</Text>
          <CopyText
            text={`curl -H "X-Api-Key: $KEY" '${addressOfRead(endpoint, query)}'`}
            what="the command"
          />
          <Anchor href={referenceOfRead(endpoint)} size="sm">
            What it answers, field by field
          </Anchor>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Under a block: which endpoint says so, with its documentation and the request. */
export function AnsweredBy({ endpoint, query }: ReadRequest): ReactNode {
  return (
    <Group gap="xs" justify="space-between" mt="md">
      <Text size="xs" c="dimmed">
        Answered by{' '}
        <Anchor href={referenceOfRead(endpoint)} size="xs" style={{ overflowWrap: 'anywhere' }}>
          GET {pathOfRead(endpoint)}
        </Anchor>
      </Text>
      <SameRequest endpoint={endpoint} query={query} isQuiet />
    </Group>
  );
}
