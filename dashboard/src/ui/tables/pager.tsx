import { Button, Group } from '@mantine/core';
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Buttons for cursor pagination. A null cursor disables its button. */
export function Pager(props: {
  onFirst: (() => void) | null;
  onNext: (() => void) | null;
  nextName?: string;
}): ReactNode {
  const { onFirst, onNext, nextName = 'Older' } = props;
  if (onFirst === null && onNext === null) return null;
  return (
    <Group justify="space-between" px="md" pb="sm" pt="xs">
      <Button
        variant="subtle"
        size="xs"
        leftSection={<IconArrowLeft size={14} />}
        disabled={onFirst === null}
        onClick={() => onFirst?.()}
      >
        First page
      </Button>
      <Button
        variant="subtle"
        size="xs"
        rightSection={<IconArrowRight size={14} />}
        disabled={onNext === null}
        onClick={() => onNext?.()}
      >
        {nextName}
      </Button>
    </Group>
  );
}
