import { Anchor, Button, Group, Popover, Stack, Text } from '@mantine/core';
import { IconTerminal2 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { readUrl, readPathTemplate, referenceUrl } from '../../api/read-urls.ts';
import type { ReadEndpoint } from '../../api/read-paths.gen.ts';
import { CopyText } from './copy-text.tsx';

export interface ReadRequest {
  endpoint: ReadEndpoint;
  /** The query and path parameters. */
  query: object;
}

/** Shows the curl command for the displayed data. */
export function CurlButton(props: ReadRequest & { isQuiet?: boolean }): ReactNode {
  const { endpoint, query, isQuiet = false } = props;
  return (
    <Popover width={460} position="bottom-end" shadow="md" withArrow trapFocus>
      <Popover.Target>
        <Button
          variant={isQuiet ? 'subtle' : 'default'}
          size={isQuiet ? 'compact-xs' : 'xs'}
          leftSection={<IconTerminal2 size={isQuiet ? 13 : 15} aria-hidden />}
        >
          curl
        </Button>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 2rem)">
        <Stack gap="xs">
          <Text size="sm">This request returns the data shown here. Set KEY to your API key.</Text>
          <CopyText
            text={`curl -H "X-Api-Key: $KEY" '${readUrl(endpoint, query)}'`}
            what="command"
          />
          <Anchor href={referenceUrl(endpoint)} size="sm">
            API reference
          </Anchor>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Shows the API endpoint behind a panel, with links to its reference and curl command. */
export function ApiSource({ endpoint, query }: ReadRequest): ReactNode {
  return (
    <Group gap="xs" justify="space-between" mt="md">
      <Text size="xs" c="dimmed">
        API:{' '}
        <Anchor href={referenceUrl(endpoint)} size="xs" style={{ overflowWrap: 'anywhere' }}>
          GET {readPathTemplate(endpoint)}
        </Anchor>
      </Text>
      <CurlButton endpoint={endpoint} query={query} isQuiet />
    </Group>
  );
}
