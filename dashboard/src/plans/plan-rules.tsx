import { Code } from '@mantine/core';
import type { ReactNode } from 'react';
import { Facts } from '../ui/values/facts.tsx';
import { Panel } from '../ui/page/panel.tsx';

/** What the limits of a plan mean. */
export function PlanRules(): ReactNode {
  return (
    <Panel title="How they count">
      <Facts
        items={[
          {
            name: 'Whose',
            value: 'A customer shares its plan among all its keys; no two customers share one.',
          },
          {
            name: 'Minute',
            value:
              'Any 60 seconds, not the minutes of the clock: no stretch of 60 seconds holds more.',
          },
          {
            name: 'Day and month',
            value:
              'Those of New York, from midnight to midnight. No limit: nothing is counted against the customer, and only the minute holds.',
          },
          {
            name: 'Refused',
            value:
              'Answered 429 with the time to wait. What was refused is not counted, nor what failed by our fault.',
          },
          {
            name: 'History',
            value: 'Days further back are answered with 403. Without a number the whole is seen.',
          },
          {
            name: 'Sign-up',
            value: (
              <>
                Who makes an account without an invitation comes on the plan of the setting{' '}
                <Code>SIGN_UP_PLAN</Code>; without it there is no such way.
              </>
            ),
          },
        ]}
      />
    </Panel>
  );
}
