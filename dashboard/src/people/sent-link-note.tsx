import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { OneTimeLink } from '../api/calls.gen.ts';
import { CopyText } from '../ui/controls/copy-text.tsx';
import { Moment } from '../ui/values/moment.tsx';

/** A link that was just made for somebody: here and never again. */
export function SentLinkNote(props: {
  email: string;
  link: OneTimeLink;
  onDone: () => void;
}): ReactNode {
  const { email, link, onDone } = props;
  return (
    <Alert variant="light" icon={<IconLink />} title={`Give this link to ${email}`} role="status">
      <Stack gap="sm">
        <Text size="sm">
          No mail is sent. The link opens once and ends <Moment at={link.expiresAt} />; it is shown
          this once. Who has it can use it, so choose a way that only they read.
        </Text>
        <CopyText text={link.link} what="the link" />
        <Group>
          <Button size="xs" onClick={onDone}>
            I have it
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
