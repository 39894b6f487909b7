import { Anchor, Code } from '@mantine/core';
import type { ReactNode } from 'react';
import { Facts } from '../ui/values/facts.tsx';
import { Panel } from '../ui/page/panel.tsx';

/** Where programs and people outside see how the service is. */
export function WatchPanel(): ReactNode {
  return (
    <Panel title="Watched from outside">
      <Facts
        items={[
          {
            name: 'For everybody',
            value: (
              <>
                <Anchor href="/status" size="sm">
                  The public status page
                </Anchor>
                : how fresh each data set is. As JSON for programs that ask so.
              </>
            ),
          },
          {
            name: 'For a supervisor',
            value: (
              <>
                <Anchor href="/healthz" size="sm">
                  /healthz
                </Anchor>{' '}
                while the process lives,{' '}
                <Anchor href="/readyz" size="sm">
                  /readyz
                </Anchor>{' '}
                while it can answer from its store.
              </>
            ),
          },
          {
            name: 'For Prometheus',
            value: (
              <>
                <Code>/metrics</Code> on the port of the setting <Code>METRICS_PORT</Code>; without
                it nothing is measured. What each figure says is in <Code>docs/metrics.md</Code>.
              </>
            ),
          },
          {
            name: 'On the machine',
            value: (
              <>
                <Code>afterbell doctor</Code> looks at settings, store, sources and data, and says
                what is wrong.
              </>
            ),
          },
        ]}
      />
    </Panel>
  );
}
