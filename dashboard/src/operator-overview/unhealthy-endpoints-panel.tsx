import type { ReactNode } from 'react';
import { CALM_MS, useCall } from '../api/use-call.ts';
import { UnhealthyEndpointsTable } from '../operator-deliveries/unhealthy-endpoints-table.tsx';
import { AnchorLink } from '../ui/controls/links.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { Panel } from '../ui/page/panel.tsx';

const SHOWN = 6;

/** Endpoints with failing or overdue deliveries, worst first. */
export function UnhealthyEndpointsPanel(): ReactNode {
  const figures = useCall('webhook-stats-read', {}, { everyMs: CALM_MS });
  return (
    <Panel
      title="Endpoints with problems"
      isFlush
      aside={
        <AnchorLink to="/operator/deliveries" size="sm" fw={550}>
          Deliveries
        </AnchorLink>
      }
    >
      <Loaded query={figures} height={120}>
        {({ worst }) => <UnhealthyEndpointsTable endpoints={worst.slice(0, SHOWN)} isBrief />}
      </Loaded>
    </Panel>
  );
}
