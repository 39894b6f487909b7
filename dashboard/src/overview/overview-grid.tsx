import type { ReactNode } from 'react';
import type { Account, Key, WebhookEndpoint } from '../api/calls.gen.ts';
import { useServiceStatus } from '../api/use-service-status.ts';
import { useSession } from '../session/session.ts';
import { Panel } from '../ui/page/panel.tsx';
import { useNow } from '../ui/values/use-now.ts';
import { findIssues } from './issues.ts';
import { IssueList } from './issue-list.tsx';
import { CurlPanel } from './curl-panel.tsx';
import { MarketPanel } from './market-panel.tsx';
import styles from './overview-grid.module.css';
import { PlanPanel } from './plan-panel.tsx';
import { RequestsPanel } from './requests-panel.tsx';
import { WebhooksPanel } from './webhooks-panel.tsx';

/** Shows the account overview, with issues first. */
export function OverviewGrid(props: {
  account: Account;
  keys: readonly Key[];
  endpoints: readonly WebhookEndpoint[];
}): ReactNode {
  const { account, keys, endpoints } = props;
  const now = useNow();
  const { role, hasSecondFactor } = useSession();
  const { data: status } = useServiceStatus();
  const snapshot = {
    account,
    keys,
    endpoints,
    datasets: status?.datasets ?? [],
    hasSecondFactor: hasSecondFactor || role === 'operator',
  };
  return (
    <>
      <Panel title="Needs attention" isFlush>
        <IssueList issues={findIssues(snapshot, now)} />
      </Panel>
      <div className={styles['grid']}>
        <div className={styles['column']}>
          <PlanPanel account={account} />
          <RequestsPanel />
          <CurlPanel keys={keys} />
        </div>
        <div className={styles['column']}>
          <MarketPanel />
          <WebhooksPanel endpoints={endpoints} />
        </div>
      </div>
    </>
  );
}
