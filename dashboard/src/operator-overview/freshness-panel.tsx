import type { ReactNode } from 'react';
import { useServiceStatus } from '../api/use-service-status.ts';
import { Loaded } from '../ui/page/loaded.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { FreshnessTable } from './freshness-table.tsx';

/** How fresh each data set is, as the public status page says it. */
export function FreshnessPanel(): ReactNode {
  const status = useServiceStatus();
  return (
    <Panel title="Freshness" isFlush>
      <Loaded query={status} height={260}>
        {({ datasets }) => <FreshnessTable datasets={datasets} />}
      </Loaded>
    </Panel>
  );
}
