import { Anchor, Code } from '@mantine/core';
import type { ReactNode } from 'react';
import { DetailList } from '../ui/values/detail-list.tsx';
import { Panel } from '../ui/page/panel.tsx';

/** Lists the service's monitoring endpoints. */
export function MonitoringPanel(): ReactNode {
  return (
    <Panel title="Monitoring">
      <DetailList
        items={[
          {
            name: 'Status page',
            value: (
              <>
                <Anchor href="/status" size="sm">
                  Public status page
                </Anchor>{' '}
                with the freshness of each dataset. Also available as JSON.
              </>
            ),
          },
          {
            name: 'Health checks',
            value: (
              <>
                <Anchor href="/healthz" size="sm">
                  /healthz
                </Anchor>{' '}
                for liveness,{' '}
                <Anchor href="/readyz" size="sm">
                  /readyz
                </Anchor>{' '}
                for readiness.
              </>
            ),
          },
          {
            name: 'Prometheus',
            value: (
              <>
                <Code>/metrics</Code> on the port <Code>METRICS_PORT</Code>, if set. See{' '}
                <Code>docs/metrics.md</Code>.
              </>
            ),
          },
          {
            name: 'Diagnostics',
            value: (
              <>
                <Code>afterbell doctor</Code> checks settings, database, sources and data.
              </>
            ),
          },
        ]}
      />
    </Panel>
  );
}
