import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Panel } from '../ui/page/panel.tsx';
import { Waiting } from '../ui/page/waiting.tsx';
import { sayLines } from './state-line.ts';
import { StateList } from './state-list.tsx';
import { useLines } from './use-lines.ts';

/** The status of all areas, problems first. */
export function StatePanel(): ReactNode {
  const { lines, unasked, isComplete } = useLines();
  const title = isComplete ? sayLines(lines) : 'Status';
  return (
    <Panel title={title} isFlush>
      {lines.length === 0 ? <Waiting height={220} /> : <StateList lines={lines} />}
      {unasked.length > 0 && (
        <Text size="sm" px="lg" py="sm" role="alert">
          Could not be loaded: {unasked.join(', ')}. Retrying.
        </Text>
      )}
    </Panel>
  );
}
