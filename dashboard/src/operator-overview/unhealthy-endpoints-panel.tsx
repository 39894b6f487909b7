import type { ReactNode } from 'react';
import { CALM_MS, useCall } from '../api/use-call.ts';
import { UnhealthyEndpointsTable } from '../operator-deliveries/unhealthy-endpoints-table.tsx';
import { StrongLink } from '../ui/controls/links.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { Panel } from '../ui/page/panel.tsx';

const SHOWN = 6;

/** Lists endpoints with failing or overdue deliveries, worst first. */
export function UnhealthyEndpointsPanel(): ReactNode {
  const figures = useCall('webhook-stats-read', {}, { everyMs: CALM_MS });
  return (
    <Panel
      title="Endpoints with problems"
      isFlush
      aside={<StrongLink to="/operator/deliveries">Deliveries</StrongLink>}
    >
      <Loaded query={figures} height={120}>
        {({ worst }) => <UnhealthyEndpointsTable endpoints={worst.slice(0, SHOWN)} isBrief />}
      </Loaded>
    </Panel>
  );
}
