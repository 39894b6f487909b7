import { Code } from '@mantine/core';
import type { ReactNode } from 'react';
import { DetailList } from '../ui/values/detail-list.tsx';
import { Panel } from '../ui/page/panel.tsx';

/** Explains how plan limits work. */
export function PlanRules(): ReactNode {
  return (
    <Panel title="How limits work">
      <DetailList
        items={[
          {
            name: 'Scope',
            value:
              'All API keys of a customer share the plan’s quotas. Customers don’t share quotas with each other.',
          },
          {
            name: 'Minute',
            value: 'A sliding window: the limit applies to any 60 seconds.',
          },
          {
            name: 'Day and month',
            value:
              'New York days and months, from midnight to midnight. Without a limit, only the limit per minute applies.',
          },
          {
            name: 'Over the limit',
            value:
              'Requests are rejected with 429 and Retry-After. Rejected requests and server errors don’t count.',
          },
          {
            name: 'History',
            value:
              'Requests for earlier dates are rejected with 403. Without a limit, the full history is available.',
          },
          {
            name: 'Watchlists',
            value:
              'The number of watchlists, and of companies on each. Lists above a lower limit are kept, but can’t grow.',
          },
          {
            name: 'Sign-up',
            value: (
              <>
                The <Code>SIGN_UP_PLAN</Code> setting names the plan for new accounts. Without it,
                sign-up is disabled.
              </>
            ),
          },
        ]}
      />
    </Panel>
  );
}
