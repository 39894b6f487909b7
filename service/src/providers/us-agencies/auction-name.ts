import type { ReleaseTime } from './schedule-calendar.ts';

/** Kinds of Treasury securities as named in the market. */
export type AuctionKind = 'Bill' | 'Note' | 'Bond' | 'FRN' | 'TIPS';

const TERM = /^(?:(\d+)-(YEAR|WEEK|DAY))(?:\s+(\d+)-(MONTH|DAY))?$/i;
/** Bills of a quarter and half a year go by their months. */
const BILL_MONTHS: Readonly<Record<string, string>> = { '13': '3-Month', '26': '6-Month' };
/** Regular bills and floating rate notes close at 11:30; notes, bonds and TIPS at 13:00. */
const CLOSING_TIMES: Readonly<Record<AuctionKind, string>> = {
  Bill: '11:30',
  FRN: '11:30',
  Note: '13:00',
  Bond: '13:00',
  TIPS: '13:00',
};

/**
 * Returns the market's name of an auction, such as `10-Year Note Auction` or `6-Month Bill Auction`.
 * A reopened security has a shorter remaining term (`9-Year 10-Month`), but keeps its original
 * name. Days count as weeks where possible, as sources write both. Returns null for an unknown term.
 */
export function auctionName(kind: AuctionKind, term: string): string | null {
  const match = TERM.exec(term.trim());
  if (match === null) return null;
  const [, first = '', unit = '', second, secondUnit = ''] = match;
  const count = Number(first);
  if (/^day$/i.test(unit) && count % 7 > 0) return `${count}-Day ${kind} Auction`;
  if (!/^year$/i.test(unit)) {
    const weeks = /^day$/i.test(unit) ? count / 7 : count;
    return `${BILL_MONTHS[String(weeks)] ?? `${weeks}-Week`} ${kind} Auction`;
  }
  const isReopened = /^month$/i.test(secondUnit) && second !== '0';
  return `${isReopened ? count + 1 : count}-Year ${kind} Auction`;
}

/**
 * Returns the regular closing time for competitive bids. Cash management bills (`42-Day`) have none.
 */
export function closingTime(kind: AuctionKind, term: string): Omit<ReleaseTime, 'date'> {
  if (/^\d+-day/i.test(term.trim())) return { time: null, timeStatus: 'all-day' };
  return { time: CLOSING_TIMES[kind], timeStatus: 'exact' };
}
