import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { OneTimeLink } from '../api/calls.gen.ts';
import { CopyText } from '../ui/controls/copy-text.tsx';
import { RelativeTime } from '../ui/values/relative-time.tsx';

/** A newly created link, which is shown only once. */
export function LinkNotice(props: {
  email: string;
  link: OneTimeLink;
  onDone: () => void;
}): ReactNode {
  const { email, link, onDone } = props;
  return (
    <Alert
      variant="light"
      icon={<IconLink />}
      title={`Share this link with ${email}`}
      role="status"
    >
      <Stack gap="sm">
        <Text size="sm">
          No email is sent. The link can be used once, expires <RelativeTime at={link.expiresAt} />{' '}
          and is shown only now. Anyone with the link can use it, so share it through a private
          channel.
        </Text>
        <CopyText text={link.link} what="link" />
        <Group>
          <Button size="xs" onClick={onDone}>
            Done
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
