import type { ReactNode } from 'react';
import { useServiceStatus } from '../api/use-service-status.ts';
import { Loaded } from '../ui/page/loaded.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { FreshnessTable } from './freshness-table.tsx';

/** Shows the dataset freshness, as on the public status page. */
export function FreshnessPanel(): ReactNode {
  const status = useServiceStatus();
  return (
    <Panel title="Data freshness" isFlush>
      <Loaded query={status} height={260}>
        {({ datasets }) => <FreshnessTable datasets={datasets} />}
      </Loaded>
    </Panel>
  );
}
