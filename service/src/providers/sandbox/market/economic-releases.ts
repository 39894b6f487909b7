/**
 * An economic release in the sandbox. Names match the real calendar, so that ids and lists work,
 * but every figure is fictional.
 */
export interface Release {
  name: string;
  /** `HH:MM` in New York. */
  time: string;
  schedule: Schedule;
  figures: readonly Figure[];
}

/**
 * A weekday (1 is Monday): every week or only the nth one in the month (-1 is the last), in all or
 * some months.
 */
export interface Schedule {
  weekday: number;
  nth?: number;
  months?: readonly number[];
}

/** A figure in a release, with its typical value, spread and format. */
export interface Figure {
  middle: number;
  spread: number;
  decimals: number;
  suffix: '%' | 'K' | 'M' | 'B' | '';
}

const MONDAY = 1;
const TUESDAY = 2;
const WEDNESDAY = 3;
const THURSDAY = 4;
const FRIDAY = 5;
const LAST = -1;
const MEETINGS = [1, 3, 5, 6, 7, 9, 11, 12];

const MONTH_RATE = percent(0.2, 0.15, 1);
const YEAR_RATE = percent(3.1, 0.4, 1);

export const RELEASES: readonly Release[] = [
  release('3-Month Bill Auction', '11:30', { weekday: MONDAY }, percent(4, 0.2, 2)),
  release('52-Week Bill Auction', '11:30', { weekday: TUESDAY }, percent(3.8, 0.2, 2)),
  release('MBA Mortgage Applications', '07:00', { weekday: WEDNESDAY }, percent(0.5, 3, 1)),
  release('Crude Oil Inventories', '10:30', { weekday: WEDNESDAY }, plain(0.4, 2.5, 3, 'M')),
  release('Initial Jobless Claims', '08:30', { weekday: THURSDAY }, plain(226, 9, 0, 'K')),
  release('Continuing Jobless Claims', '08:30', { weekday: THURSDAY }, plain(1840, 35, 0, 'K')),
  release('Natural Gas Storage', '10:30', { weekday: THURSDAY }, plain(20, 45, 0, 'B')),
  release('Crude Oil Net Positions', '15:30', { weekday: FRIDAY }, plain(190, 15, 1, 'K')),
  release('ISM Manufacturing PMI', '10:00', nth(1, MONDAY), plain(49.6, 1, 1)),
  release('ISM Services PMI', '10:00', nth(1, WEDNESDAY), plain(52.4, 1, 1)),
  release('JOLTS Job Openings', '10:00', nth(1, TUESDAY), plain(7.6, 0.25, 3, 'M')),
  release('ADP Nonfarm Employment Change', '08:15', nth(1, WEDNESDAY), plain(120, 40, 0, 'K')),
  release('Trade Balance', '08:30', nth(1, THURSDAY), plain(-72, 5, 1, 'B')),
  release('Nonfarm Payrolls', '08:30', nth(1, FRIDAY), plain(140, 50, 0, 'K')),
  release('Unemployment Rate', '08:30', nth(1, FRIDAY), percent(4.2, 0.1, 1)),
  release('Average Hourly Earnings', '08:30', nth(1, FRIDAY), percent(0.3, 0.1, 1)),
  release('CPI', '08:30', nth(2, WEDNESDAY), MONTH_RATE, YEAR_RATE),
  release('Core CPI', '08:30', nth(2, WEDNESDAY), MONTH_RATE, YEAR_RATE),
  release('PPI', '08:30', nth(2, THURSDAY), MONTH_RATE, YEAR_RATE),
  release('Core PPI', '08:30', nth(2, THURSDAY), MONTH_RATE, YEAR_RATE),
  release('Michigan Consumer Sentiment', '10:00', nth(2, FRIDAY), plain(68, 4, 1)),
  release('Retail Sales', '08:30', nth(3, TUESDAY), percent(0.3, 0.3, 1)),
  release('Core Retail Sales', '08:30', nth(3, TUESDAY), percent(0.3, 0.3, 1)),
  release('Industrial Production', '09:15', nth(3, TUESDAY), percent(0.1, 0.4, 1)),
  release('Housing Starts', '08:30', nth(3, WEDNESDAY), plain(1.37, 0.06, 3, 'M')),
  release('Building Permits', '08:30', nth(3, WEDNESDAY), plain(1.42, 0.05, 3, 'M')),
  release('Fed Interest Rate Decision', '14:00', nth(3, WEDNESDAY, MEETINGS), percent(3.75, 0, 2)),
  release('FOMC Statement', '14:00', nth(3, WEDNESDAY, MEETINGS)),
  release('FOMC Economic Projections', '14:00', nth(3, WEDNESDAY, [3, 6, 9, 12])),
  release('Existing Home Sales', '10:00', nth(4, TUESDAY), plain(4.05, 0.12, 2, 'M')),
  release('New Home Sales', '10:00', nth(4, WEDNESDAY), plain(690, 35, 0, 'K')),
  release('Durable Goods Orders', '08:30', nth(4, THURSDAY), percent(0.3, 1.4, 1)),
  release('Michigan Consumer Sentiment', '10:00', nth(4, FRIDAY), plain(68, 4, 1)),
  release('CB Consumer Confidence', '10:00', nth(LAST, TUESDAY), plain(101, 5, 1)),
  release('GDP', '08:30', nth(LAST, THURSDAY), percent(2.3, 0.5, 1)),
  release('Personal Income', '08:30', nth(LAST, FRIDAY), percent(0.3, 0.1, 1)),
  release('Personal Spending', '08:30', nth(LAST, FRIDAY), percent(0.3, 0.15, 1)),
  release('Core PCE Price Index', '08:30', nth(LAST, FRIDAY), MONTH_RATE, YEAR_RATE),
];

function release(name: string, time: string, schedule: Schedule, ...figures: Figure[]): Release {
  return { name, time, schedule, figures };
}

function nth(count: number, weekday: number, months?: readonly number[]): Schedule {
  return months === undefined ? { weekday, nth: count } : { weekday, nth: count, months };
}

function percent(middle: number, spread: number, decimals: number): Figure {
  return { middle, spread, decimals, suffix: '%' };
}

function plain(
  middle: number,
  spread: number,
  decimals: number,
  suffix: Figure['suffix'] = '',
): Figure {
  return { middle, spread, decimals, suffix };
}
