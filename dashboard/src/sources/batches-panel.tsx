import { type ReactNode, useState } from 'react';
import { LIVE_MS, useCall } from '../api/use-call.ts';
import { Loaded } from '../ui/page/loaded.tsx';
import { Pager } from '../ui/tables/pager.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { BatchList } from './batch-list.tsx';

const SHOWN = 8;

/** Shows fetches and backfills started by operators, updated live. */
export function BatchesPanel(): ReactNode {
  const [before, setBefore] = useState<string | null>(null);
  const query = { limit: SHOWN, ...(before === null ? {} : { before }) };
  const page = useCall('backfills-list', { query }, { everyMs: LIVE_MS, keepsPrevious: true });
  const next = page.data?.next ?? null;
  return (
    <Panel title="Manual fetches" isFlush>
      <Loaded query={page} height={90}>
        {({ batches }) => <BatchList batches={batches} />}
      </Loaded>
      <Pager
        onFirst={before === null ? null : () => setBefore(null)}
        onNext={next === null ? null : () => setBefore(next)}
      />
    </Panel>
  );
}
