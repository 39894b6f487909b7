import { Box, SimpleGrid, Text } from '@mantine/core';
import { IconArrowsVertical } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { EarningsReaction } from '@afterbell/sdk';
import { formatDate } from '../format/day.ts';
import { formatQuarter } from '../format/session.ts';
import { Change } from '../ui/values/change.tsx';
import { type Column, DataTable } from '../ui/tables/data-table.tsx';
import { DivergingBar } from '../ui/charts/diverging-bar.tsx';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { ApiSource } from '../ui/controls/api-source.tsx';
import { SessionBadge } from '../ui/values/session-badge.tsx';
import { Stat } from '../ui/values/stat.tsx';

/** Shows the price moves after each report, next to the report's surprises. */
export function ReactionsPanel(props: {
  symbol: string;
  reactions: readonly EarningsReaction[];
}): ReactNode {
  const { symbol, reactions } = props;
  return (
    <Panel title="Reactions" isFlush>
      {reactions.length === 0 ? (
        <EmptyState icon={<IconArrowsVertical size={24} />} title="No reactions yet">
          After each report, the first session’s move appears here next to the surprise. The API
          returns nine more sessions.
        </EmptyState>
      ) : (
        <>
          <Summary reactions={reactions} />
          <DataTable
            caption="Reports with surprises and price moves"
            columns={columnsFor(reactions)}
            rows={reactions}
            keyOf={({ date }) => date}
          />
        </>
      )}
      <Box px="1.25rem" pb="sm">
        <ApiSource endpoint="earnings-reactions" query={{ symbol }} />
      </Box>
    </Panel>
  );
}

function Summary({ reactions }: { reactions: readonly EarningsReaction[] }): ReactNode {
  const { averageMove, measured, rose, beats, judged } = summarize(reactions);
  return (
    <SimpleGrid cols={{ base: 2, xs: 3 }} px="1.25rem" pb="md">
      <Stat
        name="Average move"
        value={averageMove === null ? '–' : `±${averageMove.toFixed(1)}%`}
        note={`first session after results, ${measured} measured`}
      />
      <Stat name="Positive reaction" value={`${rose} of ${measured}`} note="reports" />
      <Stat name="EPS beats" value={`${beats} of ${judged}`} note="reports" />
    </SimpleGrid>
  );
}

function columnsFor(reactions: readonly EarningsReaction[]): readonly Column<EarningsReaction>[] {
  const largestMove = Math.max(
    ...reactions.map((reaction) => Math.abs(firstMoveOf(reaction) ?? 0)),
  );
  return [
    { name: 'Report', render: (row) => <Report row={row} /> },
    {
      name: 'First session',
      isNumber: true,
      render: (row) => <DivergingBar percent={firstMoveOf(row)} maximum={largestMove} />,
      sortBy: firstMoveOf,
    },
    {
      name: 'EPS',
      isNumber: true,
      render: ({ eps }) => <Change percent={eps.surprisePercent} />,
      sortBy: ({ eps }) => eps.surprisePercent,
    },
    {
      name: 'Revenue',
      isNumber: true,
      render: ({ revenue }) => <Change percent={revenue.surprisePercent} />,
      sortBy: ({ revenue }) => revenue.surprisePercent,
    },
    {
      name: '10 sessions',
      isNumber: true,
      render: ({ reactions }) => <Change percent={reactions[9]?.cumulativeChange ?? null} />,
      sortBy: ({ reactions }) => reactions[9]?.cumulativeChange ?? null,
    },
    { name: 'Session', render: ({ time }) => <SessionBadge session={time} /> },
  ];
}

function Report({ row }: { row: EarningsReaction }): ReactNode {
  return (
    <>
      <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
        {formatDate(row.date)}
      </Text>
      <Text size="xs" c="dimmed">
        {formatQuarter(row)}
        {row.reactionBasis === 'assumed' && ', session assumed'}
        {row.reactionBasis === 'inferred' && ', session inferred from volume'}
      </Text>
    </>
  );
}

function firstMoveOf({ reactions }: EarningsReaction): number | null {
  return reactions[0]?.priceChange ?? null;
}

interface ReactionSummary {
  /** The mean absolute price move in the first session, in percent. */
  averageMove: number | null;
  /** The number of reports with prices for the first session after them. */
  measured: number;
  rose: number;
  /** The number of reports with EPS above the estimate. */
  beats: number;
  judged: number;
}

/** Calculates summary statistics for the reactions. */
function summarize(reactions: readonly EarningsReaction[]): ReactionSummary {
  const moves = reactions.flatMap(({ reactions: [first] }) =>
    first === undefined ? [] : [first.priceChange],
  );
  const outcomes = reactions.flatMap(({ eps }) => (eps.outcome === null ? [] : [eps.outcome]));
  const sum = moves.reduce((total, move) => total + Math.abs(move), 0);
  return {
    averageMove: moves.length === 0 ? null : sum / moves.length,
    measured: moves.length,
    rose: moves.filter((move) => move > 0).length,
    beats: outcomes.filter((outcome) => outcome === 'beat').length,
    judged: outcomes.length,
  };
}
