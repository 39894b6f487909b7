import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { createFileRoute } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Plan } from '../../../api/calls.gen.ts';
import { CALM_MS, useCall } from '../../../api/use-call.ts';
import { PlanForm } from '../../../plans/plan-form.tsx';
import { PlanRules } from '../../../plans/plan-rules.tsx';
import { PlanTable } from '../../../plans/plan-table.tsx';
import { Loaded } from '../../../ui/page/loaded.tsx';
import { Page } from '../../../ui/page/page.tsx';
import { Panel } from '../../../ui/page/panel.tsx';

export const Route = createFileRoute('/_app/operator/plans')({ component: Plans });

function Plans(): ReactNode {
  const plans = useCall('plans-list', {}, { everyMs: CALM_MS });
  const [editedPlan, setEditedPlan] = useState<Plan | null>(null);
  const [isOpen, setIsOpen] = useState(false);

  function open(plan: Plan | null): void {
    setEditedPlan(plan);
    setIsOpen(true);
  }

  return (
    <Page
      title="Plans"
      lead="Rate limits and history for customers. Changes apply to all customers on a plan from their next request."
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={() => open(null)}>
          New plan
        </Button>
      }
    >
      <Panel isFlush>
        <Loaded query={plans}>
          {(rows) => <PlanTable plans={rows} onChange={open} onCreate={() => open(null)} />}
        </Loaded>
      </Panel>
      <PlanRules />
      {/* The key changes with the plan, which resets the form. */}
      <PlanForm
        key={`${editedPlan?.name ?? ''} ${isOpen}`}
        plan={editedPlan}
        plans={plans.data ?? []}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
      />
    </Page>
  );
}
