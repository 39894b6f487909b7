import { SegmentedControl, Text } from '@mantine/core';
import { IconChartLine } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Bars } from '../api/calls.gen.ts';
import type { CompanyEarningsRow, EarningsReaction } from '@afterbell/sdk';
import { useCall } from '../api/use-call.ts';
import { formatDate } from '../format/day.ts';
import { addDays, newYorkDate } from '../format/time.ts';
import { EmptyState } from '../ui/page/empty-state.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { useNow } from '../ui/values/use-now.ts';
import { PriceChart } from './price-chart.tsx';
import { firstDayOf, type RangeName, RANGES } from './price-range.ts';
import { placeReports } from './report-marks.ts';

const EVERY_MS = 60_000;
/**
 * The maximum number of days between the start of the range and its first bar. If the gap is
 * larger, a note mentions it.
 */
const LATE_DAYS = 6;

/** Shows a company's price chart with its reports. */
export function PricePanel(props: {
  symbol: string;
  currency: string;
  reports: readonly CompanyEarningsRow[];
  reactions: readonly EarningsReaction[];
  range: RangeName;
  onRange: (range: RangeName) => void;
}): ReactNode {
  const { symbol, currency, reports, reactions, range, onRange } = props;
  const today = newYorkDate(new Date(useNow()));
  const account = useCall('account-read', {});
  const from = firstDayOf(range, today, account.data?.historyFrom ?? null);
  const bars = useCall(
    'bars-read',
    { path: { symbol }, query: { from } },
    { everyMs: EVERY_MS, keepsPrevious: true, isEnabled: account.data !== undefined },
  );
  return (
    <Panel
      title="Price"
      aside={
        <SegmentedControl
          size="xs"
          aria-label="Range"
          data={RANGES.map(({ value, label }) => ({ value, label }))}
          value={range}
          onChange={(value) =>
            onRange(RANGES.find((option) => option.value === value)?.value ?? '1y')
          }
        />
      }
    >
      <Loaded query={bars} height={340}>
        {(answer) =>
          answer.bars.length < 2 ? (
            <EmptyState icon={<IconChartLine size={24} />} title="No prices">
              No source has prices for {symbol} in this range.
            </EmptyState>
          ) : (
            <>
              <PriceChart
                bars={answer.bars}
                marks={placeReports(answer.bars, reports, reactions)}
                currency={currency}
              />
              <Footnote prices={answer} />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

function Footnote({ prices: { bars, from } }: { prices: Bars }): ReactNode {
  const first = bars[0]?.date ?? from;
  return (
    <Text size="xs" c="dimmed" mt="xs">
      Official closing prices, adjusted for splits but not for dividends. A sun marks a report
      before the open, a moon one after the close.
      {first > addDays(from, LATE_DAYS) && ` Prices start on ${formatDate(first)}.`}
    </Text>
  );
}
