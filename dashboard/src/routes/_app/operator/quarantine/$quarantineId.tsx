import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { createFileRoute, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CALM_MS, useCall } from '../../../../api/use-call.ts';
import { QuarantinedDetail } from '../../../../quarantine/quarantined-detail.tsx';
import { ruleLabel } from '../../../../quarantine/quarantine-state.ts';
import { Loaded } from '../../../../ui/page/loaded.tsx';
import { Page } from '../../../../ui/page/page.tsx';

export const Route = createFileRoute('/_app/operator/quarantine/$quarantineId')({
  component: QuarantinedRow,
});

function QuarantinedRow(): ReactNode {
  const path = Route.useParams();
  const row = useCall('quarantine-read', { path }, { everyMs: CALM_MS });
  const { subject, reason, detail } = row.data ?? {};
  const rule = reason === undefined ? 'Quarantined row' : ruleLabel(reason);
  const heading = `${rule.charAt(0).toUpperCase()}${rule.slice(1)}`;
  return (
    <Page
      title={subject === undefined || subject === null ? heading : `${subject}: ${rule}`}
      lead={detail}
      actions={
        <Button
          variant="default"
          leftSection={<IconArrowLeft size={16} aria-hidden />}
          component={Link}
          to="/operator/quarantine"
        >
          All quarantined rows
        </Button>
      }
    >
      <Loaded query={row} height={420}>
        {(rowDetail) => <QuarantinedDetail row={rowDetail} />}
      </Loaded>
    </Page>
  );
}
