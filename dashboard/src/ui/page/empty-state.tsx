import { Button, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconFilterOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Shown when a page or panel has no content. */
export function EmptyState(props: {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** True to render the title as the page's heading. */
  isPage?: boolean;
}): ReactNode {
  const { icon, title, children, action, isPage = false } = props;
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center">
      <ThemeIcon variant="light" size={48} radius="xl" aria-hidden>
        {icon}
      </ThemeIcon>
      <Text fw={600} mt="xs" component={isPage ? 'h1' : 'p'} mb={0}>
        {title}
      </Text>
      {children !== undefined && (
        <Text c="dimmed" size="sm" maw={460} component="div">
          {children}
        </Text>
      )}
      {action !== undefined && <div>{action}</div>}
    </Stack>
  );
}

/** Shown when no item in a list matches the filters. */
export function NoMatches(props: {
  /** The plural name of the filtered items. */
  items: string;
  onClear: () => void;
  children?: ReactNode;
}): ReactNode {
  return (
    <EmptyState
      icon={<IconFilterOff size={24} />}
      title={`No matching ${props.items}`}
      action={
        <Button size="sm" mt="sm" variant="default" onClick={props.onClear}>
          Clear filters
        </Button>
      }
    >
      {props.children}
    </EmptyState>
  );
}
