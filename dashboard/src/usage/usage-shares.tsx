import type { ReactNode } from 'react';
import type { Key } from '../api/calls.gen.ts';
import { CALM_MS, useCall } from '../api/use-call.ts';
import { Loaded } from '../ui/page/loaded.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { totalsOf } from './series.ts';
import { ShareBars } from './share-bars.tsx';
import { nameOf } from './usage-view.tsx';
import type { UsageSelection } from './usage-search.ts';

const SHOWN_MAX = 8;
const TITLES = { endpoint: 'By endpoint', status: 'By status', key: 'By API key' } as const;

/** Shows the requests in the period by endpoint, status, or API key. */
export function UsageShares(props: {
  split: keyof typeof TITLES;
  selection: UsageSelection;
  keys: readonly Key[];
}): ReactNode {
  const { split, selection, keys } = props;
  const query = { ...selection.query, by: 'day' as const, split };
  const usage = useCall('usage-read', { query }, { everyMs: CALM_MS, keepsPrevious: true });
  return (
    <Panel title={TITLES[split]}>
      <Loaded query={usage} height={140}>
        {({ rows }) => {
          const totals = totalsOf(rows);
          const visible = totals.slice(0, SHOWN_MAX).map(({ name, requests }) => ({
            key: name,
            name: split === 'key' ? nameOf(name, { split: 'key' }, keys) : name,
            value: requests,
            color: split === 'status' ? statusColor(name) : 'var(--chart-1)',
          }));
          const grouped = totals.slice(SHOWN_MAX);
          const value = grouped.reduce((sum, { requests }) => sum + requests, 0);
          const others = { key: 'rest', name: `${grouped.length} others`, value };
          return <ShareBars parts={grouped.length === 0 ? visible : [...visible, others]} />;
        }}
      </Loaded>
    </Panel>
  );
}

function statusColor(status: string): string {
  if (status.startsWith('5')) return 'var(--chart-4)';
  return status.startsWith('4') ? 'var(--chart-3)' : 'var(--chart-1)';
}
