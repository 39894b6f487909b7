import { Anchor, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Key } from '../api/calls.gen.ts';
import { CopyText } from '../ui/controls/copy-text.tsx';
import { AnchorLink } from '../ui/controls/links.tsx';
import { Panel } from '../ui/page/panel.tsx';

/**
 * Shows an example request. It contains only the prefix of an API key, because keys are stored as
 * hashes.
 */
export function CurlPanel({ keys }: { keys: readonly Key[] }): ReactNode {
  const [key] = keys
    .filter(({ state, scopes }) => state === 'active' && scopes.includes('read'))
    .toSorted((a, b) => lastUse(b) - lastUse(a));
  const maskedKey = key === undefined ? '…' : `${key.prefix}…${key.last4}`;
  return (
    <Panel
      title="Example request"
      aside={
        <Anchor href="/docs" size="sm" fw={550}>
          API reference
        </Anchor>
      }
    >
      <Stack gap="sm">
        <CopyText
          text={`curl '${window.location.origin}/v1/calendar/earnings?date=today' \\\n  -H 'X-Api-Key: ${maskedKey}'`}
          what="command"
          isBlock
        />
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {key === undefined
            ? 'You have no API key with the read scope. '
            : `Replace the key with your full key ${name(key)}. Lost it? `}
          <AnchorLink to="/keys" size="sm">
            {key === undefined ? 'Create one' : 'Roll it'}
          </AnchorLink>
        </Text>
      </Stack>
    </Panel>
  );
}

function name({ name: text, last4 }: Key): string {
  return text === '' ? `…${last4}` : `“${text}”`;
}

function lastUse({ lastUsedAt }: Key): number {
  return lastUsedAt === null ? 0 : Date.parse(lastUsedAt);
}
