import { Grid, Stack } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DeliveriesChart } from '../../../operator-overview/deliveries-chart.tsx';
import { FreshnessPanel } from '../../../operator-overview/freshness-panel.tsx';
import { RequestsChart } from '../../../operator-overview/requests-chart.tsx';
import { StatusPanel } from '../../../operator-overview/status-panel.tsx';
import { UnhealthyEndpointsPanel } from '../../../operator-overview/unhealthy-endpoints-panel.tsx';
import { Page } from '../../../ui/page/page.tsx';

export const Route = createFileRoute('/_app/operator/')({ component: Overview });

function Overview(): ReactNode {
  return (
    <Page title="Overview" lead="Service health and activity.">
      <StatusPanel />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack gap="lg">
            <RequestsChart />
            <DeliveriesChart />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack gap="lg">
            <FreshnessPanel />
            <UnhealthyEndpointsPanel />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}
