import { createFileRoute } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { CALM_MS, LIVE_MS, useCall } from '../../../api/use-call.ts';
import { OverviewGrid } from '../../../overview/overview-grid.tsx';
import { useCustomerId } from '../../../session/customer.ts';
import { Loaded } from '../../../ui/page/loaded.tsx';
import { Page } from '../../../ui/page/page.tsx';
import { Onboarding } from '../../../welcome/onboarding.tsx';

export const Route = createFileRoute('/_app/_account/')({ component: Overview });

/** Resets the state when an operator switches to a different account. */
function Overview(): ReactNode {
  return <AccountOverview key={useCustomerId()} />;
}

function AccountOverview(): ReactNode {
  const account = useCall('account-read', {}, { everyMs: LIVE_MS });
  const keys = useCall('keys-list', {}, { everyMs: CALM_MS });
  const endpoints = useCall('webhooks-list', {}, { everyMs: CALM_MS });
  const [isOnboarding, setIsOnboarding] = useState(false);
  // Users without an API key stay in the onboarding until they leave the page, even after they
  // create a key.
  if (keys.data?.length === 0 && !isOnboarding) setIsOnboarding(true);
  if (isOnboarding) {
    return (
      <Page title="Overview" lead="Two steps to your first request.">
        <Onboarding asksAccount={false} />
      </Page>
    );
  }
  return (
    <Page title={account.data?.name ?? 'Overview'}>
      <Loaded query={account} height={320}>
        {(accountData) => (
          <Loaded query={keys} height={320}>
            {(keyList) => (
              <Loaded query={endpoints} height={320}>
                {(endpointList) => (
                  <OverviewGrid account={accountData} keys={keyList} endpoints={endpointList} />
                )}
              </Loaded>
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}
