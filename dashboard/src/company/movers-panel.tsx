import { Stack, Text } from '@mantine/core';
import { IconArrowsVertical } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { EarningsMovers } from '@afterbell/sdk';
import { CALM_MS } from '../api/use-call.ts';
import { useRead } from '../api/use-read.ts';
import { formatDay } from '../format/time.ts';
import { DivergingBar } from '../ui/charts/diverging-bar.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { ApiSource } from '../ui/controls/api-source.tsx';
import { CompanyRows } from './company-rows.tsx';

const SHOWN_MAX = 12;

/** Lists the stocks that moved most in the first session after their results. */
export function MoversPanel({ date }: { date: string }): ReactNode {
  const movers = useRead('earnings-movers', { date }, { everyMs: CALM_MS });
  return (
    <Panel title="Post-earnings movers" aside={<Aside date={date} movers={movers.data} />}>
      <Loaded query={movers}>
        {({ data, threshold, totalReported }) =>
          data.length === 0 ? (
            <EmptyState icon={<IconArrowsVertical size={24} />} title="No large moves">
              {emptyText(totalReported, threshold)}
            </EmptyState>
          ) : (
            <Stack gap="xs">
              <CompanyRows
                rows={data.slice(0, SHOWN_MAX).map((row) => ({
                  ...row,
                  figure: <DivergingBar percent={row.priceChange} maximum={largestMove(data)} />,
                }))}
              />
              {data.length > SHOWN_MAX && (
                <Text size="sm" c="dimmed">
                  {data.length - SHOWN_MAX} more moves of at least {threshold}% are available
                  through the API.
                </Text>
              )}
            </Stack>
          )
        }
      </Loaded>
      <ApiSource endpoint="earnings-movers" query={{ date }} />
    </Panel>
  );
}

function emptyText(count: number, threshold: number): string {
  if (count === 0) return 'No company had its first session after results.';
  if (count === 1) {
    return `One company had its first session after results. It moved less than ${threshold}%.`;
  }
  return `${count} companies had their first session after results. None moved ${threshold}% or more.`;
}

function Aside(props: { date: string; movers: EarningsMovers | undefined }): ReactNode {
  const { date, movers } = props;
  return (
    <Text size="sm" c="dimmed">
      {formatDay(date)}
      {movers?.final === false && ', in progress'}
    </Text>
  );
}

function largestMove(rows: EarningsMovers['data']): number {
  return Math.max(...rows.map(({ priceChange }) => Math.abs(priceChange)));
}
