import { Button, Group, Tabs, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { WebhookEndpoint } from '../../../../api/calls.gen.ts';
import { useServiceStatus } from '../../../../api/use-service-status.ts';
import { LIVE_MS, useCall } from '../../../../api/use-call.ts';
import { endpointName } from '../../../../deliveries/use-endpoint-names.ts';
import { SecretTab, VerifyTab } from '../../../../secret/secret-tab.tsx';
import { AnchorLink } from '../../../../ui/controls/links.tsx';
import { Loaded } from '../../../../ui/page/loaded.tsx';
import { Page } from '../../../../ui/page/page.tsx';
import { ChangeData } from '../../../../webhooks/endpoint/change-data.tsx';
import { OverviewTab } from '../../../../webhooks/endpoint/overview-tab.tsx';
import { RecoverDialog } from '../../../../webhooks/endpoint/recover-dialog.tsx';
import { SendTest } from '../../../../webhooks/endpoint/send-test.tsx';
import { SettingsTab } from '../../../../webhooks/endpoint/settings-tab.tsx';
import { SubscriptionsTab } from '../../../../webhooks/subscriptions/subscriptions-tab.tsx';
import styles from '../../../../webhooks/endpoint/tabs.module.css';

const TABS = {
  overview: 'Overview',
  subscriptions: 'Subscriptions',
  secret: 'Secret',
  verify: 'Verify',
  settings: 'Settings',
} as const;
type Tab = keyof typeof TABS;

export const Route = createFileRoute('/_app/_account/webhooks/$endpointId')({
  validateSearch: ({ tab }: Record<string, unknown>): { tab?: Tab } => (isTab(tab) ? { tab } : {}),
  component: EndpointScreen,
});

function EndpointScreen(): ReactNode {
  const { endpointId } = Route.useParams();
  const endpoint = useCall('webhooks-read', { path: { endpointId } }, { everyMs: LIVE_MS });
  const { data } = endpoint;
  return (
    <Page
      title={data === undefined ? 'Endpoint' : endpointName(data)}
      lead={
        <>
          <Text span inherit className={styles['url']} lineClamp={2} title={data?.url}>
            {data?.url}
          </Text>
          {data?.isDev === true && 'Allowed by a development setting only. '}
          <AnchorLink to="/webhooks" size="sm">
            All endpoints
          </AnchorLink>
        </>
      }
      actions={data === undefined ? undefined : <EndpointActions endpoint={data} />}
    >
      <Loaded query={endpoint} height={480}>
        {(detail) => <EndpointTabs endpoint={detail} />}
      </Loaded>
    </Page>
  );
}

function EndpointTabs({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const { tab = 'overview' } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <Tabs
      value={tab}
      onChange={(next) => void navigate({ search: isTab(next) ? { tab: next } : {} })}
      keepMounted={false}
    >
      <Tabs.List className={styles['list']} mb="lg">
        {Object.entries(TABS).map(([value, name]) => (
          <Tabs.Tab key={value} value={value}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="overview">
        <OverviewTab endpoint={endpoint} />
      </Tabs.Panel>
      <Tabs.Panel value="subscriptions">
        <SubscriptionsTab endpoint={endpoint} />
      </Tabs.Panel>
      <Tabs.Panel value="secret">
        <SecretTab endpoint={endpoint} />
      </Tabs.Panel>
      <Tabs.Panel value="verify">
        <VerifyTab endpointId={endpoint.id} />
      </Tabs.Panel>
      <Tabs.Panel value="settings">
        <SettingsTab endpoint={endpoint} />
      </Tabs.Panel>
    </Tabs>
  );
}

function EndpointActions({ endpoint }: { endpoint: WebhookEndpoint }): ReactNode {
  const [isTesting, testing] = useDisclosure(false);
  const [isRecovering, recovering] = useDisclosure(false);
  const [isChanging, changing] = useDisclosure(false);
  const status = useServiceStatus();
  return (
    <Group gap="sm">
      <Button variant="default" onClick={recovering.open}>
        Recover…
      </Button>
      {status.data?.synthetic === true && (
        <Button variant="default" onClick={changing.open}>
          Change data…
        </Button>
      )}
      <Button onClick={testing.open}>Send test</Button>
      <ChangeData endpoint={endpoint} isOpen={isChanging} onClose={changing.close} />
      <SendTest endpoint={endpoint} isOpen={isTesting} onClose={testing.close} />
      <RecoverDialog endpoint={endpoint} isOpen={isRecovering} onClose={recovering.close} />
    </Group>
  );
}

function isTab(value: unknown): value is Tab {
  return typeof value === 'string' && value in TABS;
}
