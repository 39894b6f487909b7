import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Panel } from '../ui/page/panel.tsx';
import { Waiting } from '../ui/page/waiting.tsx';
import { sayLines } from './state-line.ts';
import { StateList } from './state-list.tsx';
import { useLines } from './use-lines.ts';

/** Is everything well? What needs attention stands first. */
export function StatePanel(): ReactNode {
  const { lines, unasked, isComplete } = useLines();
  const title = isComplete ? sayLines(lines) : 'How it stands';
  return (
    <Panel title={title} isFlush>
      {lines.length === 0 ? <Waiting height={220} /> : <StateList lines={lines} />}
      {unasked.length > 0 && (
        <Text size="sm" px="lg" py="sm" role="alert">
          Could not be asked: {unasked.join(', ')}. It is tried again.
        </Text>
      )}
    </Panel>
  );
}
