import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Panel } from '../ui/page/panel.tsx';
import { LoadingBlock } from '../ui/page/loading-block.tsx';
import { statusSummary } from './status-line.ts';
import { StatusList } from './status-list.tsx';
import { useStatusLines } from './use-status-lines.ts';

/** Shows the status of all areas, problems first. */
export function StatusPanel(): ReactNode {
  const { lines, failedAreas, isComplete } = useStatusLines();
  const title = isComplete ? statusSummary(lines) : 'Status';
  return (
    <Panel title={title} isFlush>
      {lines.length === 0 ? <LoadingBlock height={220} /> : <StatusList lines={lines} />}
      {failedAreas.length > 0 && (
        <Text size="sm" px="lg" py="sm" role="alert">
          Could not be loaded: {failedAreas.join(', ')}. Retrying.
        </Text>
      )}
    </Panel>
  );
}
