import { Alert, Group, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CompanyProfile } from '@afterbell/sdk';
import { formatDate } from '../format/day.ts';
import { formatMoney, formatPerShare } from '../format/money.ts';
import { formatCompact } from '../format/number.ts';
import { formatDay, newYorkDate } from '../format/time.ts';
import { DateStatus } from '../ui/values/date-status.tsx';
import { Panel } from '../ui/page/panel.tsx';
import { ApiSource } from '../ui/controls/api-source.tsx';
import { SessionBadge } from '../ui/values/session-badge.tsx';
import { Stat } from '../ui/values/stat.tsx';
import { useNow } from '../ui/values/use-now.ts';

const DAY_MS = 86_400_000;

/** Shows a company's key figures and next report. */
export function CompanyProfilePanel({ profile }: { profile: CompanyProfile }): ReactNode {
  const { currency, price, priceDate, marketCap, averageVolume, fiscalYearEnd } = profile;
  return (
    <>
      {profile.active === false && (
        <Alert color="yellow" variant="light">
          Delisted{profile.delistDate !== null && ` on ${formatDate(profile.delistDate)}`}.
        </Alert>
      )}
      <Panel title="At a glance">
        <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="lg">
          <NextReport profile={profile} />
          <Stat
            name="Price"
            value={formatPerShare(price, currency)}
            note={priceDate === null ? 'not available' : `close on ${formatDay(priceDate)}`}
          />
          <Stat
            name="Market cap"
            value={formatMoney(marketCap, currency)}
            note="all share classes"
          />
          <Stat
            name="Average volume"
            value={averageVolume === null ? '–' : formatCompact(averageVolume)}
            note="shares per session"
          />
          <Stat
            name="Fiscal year end"
            value={fiscalYearEnd === null ? '–' : dayOfYear(fiscalYearEnd)}
            note={profile.cik === null ? undefined : `CIK ${profile.cik}`}
          />
        </SimpleGrid>
        <ApiSource endpoint="profile" query={{ symbol: profile.symbol }} />
      </Panel>
    </>
  );
}

function NextReport({ profile: { nextEarnings } }: { profile: CompanyProfile }): ReactNode {
  const today = newYorkDate(new Date(useNow()));
  if (nextEarnings === null) {
    return <Stat name="Next report" value="–" note="no date yet" />;
  }
  const { date, time, dateStatus } = nextEarnings;
  return (
    <Stat
      name="Next report"
      value={formatDate(date)}
      note={
        <>
          <Text size="xs" c="dimmed">
            {distanceInDays(today, date)}
          </Text>
          <Group gap={4} mt={6}>
            <SessionBadge session={time} />
            <DateStatus status={dateStatus} />
          </Group>
        </>
      }
    />
  );
}

/** Returns a summary such as `Nasdaq · Software · United States`, including former symbols. */
export function companySummary(profile: CompanyProfile): string {
  const { exchange, sector, industry, country, formerSymbols } = profile;
  const parts = [profile.symbol, exchange, sector, industry, country].filter(
    (part) => part !== null,
  );
  const formerNames = formerSymbols.map(
    ({ symbol, until }) => `${symbol} (until ${formatDate(until)})`,
  );
  return [
    ...parts,
    ...(formerNames.length === 0 ? [] : [`formerly ${formerNames.join(', ')}`]),
  ].join(' · ');
}

function distanceInDays(today: string, date: string): string {
  const days = Math.round((Date.parse(date) - Date.parse(today)) / DAY_MS);
  if (days === 0) return 'Today';
  if (days === 1) return 'Tomorrow';
  return days > 0 ? `In ${days} days` : `${-days} days ago`;
}

/** Formats `09-30` as `Sep 30`. */
function dayOfYear(monthAndDay: string): string {
  return formatDate(`2000-${monthAndDay}`).replace(', 2000', '');
}
