import type { ReactNode } from 'react';
import type { CompanyEarningsRow } from '@afterbell/sdk';
import { CALM_MS } from '../api/use-call.ts';
import { useRead } from '../api/use-read.ts';
import { Loaded } from '../ui/page/loaded.tsx';
import type { CompanySearch } from './company-params.ts';
import { HistoryPanel } from './history-panel.tsx';
import { PayoutsPanel } from './payouts-panel.tsx';
import { PricePanel } from './price-panel.tsx';
import { ReactionsPanel } from './reactions-panel.tsx';
import { RevisionsPanel } from './revisions-panel.tsx';

const EVERY_MS = 60_000;
/** Five years of quarterly reports, which matches the longest price range. */
const REACTIONS_MAX = 20;
const LISTED_MAX = 12;

/**
 * Shows all panels that depend on a company's reports: prices, reactions, history, revisions, and
 * payouts.
 */
export function CompanyReports(props: {
  symbol: string;
  currency: string;
  search: CompanySearch;
  onSearch: (change: CompanySearch) => void;
}): ReactNode {
  const { symbol, currency, search, onSearch } = props;
  const reports = useRead('earnings', { symbol, include: 'provenance' }, { everyMs: CALM_MS });
  const reactions = useRead(
    'earnings-reactions',
    { symbol, limit: REACTIONS_MAX },
    { everyMs: EVERY_MS },
  );
  return (
    <Loaded query={reports} height={600}>
      {(rows) => {
        const selected = selectReport(rows, search.report);
        return (
          <>
            <PricePanel
              symbol={symbol}
              currency={currency}
              reports={rows}
              reactions={reactions.data ?? []}
              range={search.range ?? '1y'}
              onRange={(range) => onSearch({ range })}
            />
            <Loaded query={reactions}>
              {(moves) => <ReactionsPanel symbol={symbol} reactions={moves.slice(0, LISTED_MAX)} />}
            </Loaded>
            <HistoryPanel
              symbol={symbol}
              reports={rows}
              selected={selected?.id ?? null}
              onChoose={(report) => onSearch({ report })}
            />
            {selected !== null && <RevisionsPanel key={selected.id} report={selected} />}
            <PayoutsPanel symbol={symbol} reports={rows} />
          </>
        );
      }}
    </Loaded>
  );
}

/** Returns the requested report, or else the newest one with results, or else the newest one. */
function selectReport(
  rows: readonly CompanyEarningsRow[],
  requestedId: string | undefined,
): CompanyEarningsRow | null {
  const requested = rows.find(({ id }) => id === requestedId);
  return requested ?? rows.find(({ dateStatus }) => dateStatus === 'reported') ?? rows[0] ?? null;
}
