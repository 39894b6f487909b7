import type { Cadence, WellKnownEvent } from './well-known-event.ts';
import type { Measure } from './row.ts';

/**
 * U.S. events with a stable id. `usmajor` selects the rows marked as major. Aliases are the
 * sources' folded names.
 */

const WEEKLY: Cadence = { kind: 'dated' };
const DATED: Cadence = { kind: 'dated' };
const VINTAGES: Cadence = { kind: 'quarterly', hasVintages: true };
const QUARTERLY: Cadence = { kind: 'quarterly', hasVintages: false };
const JOBS = 'employment situation';
const CPI = 'consumer price index';
const PPI = 'producer price index';
const GDP = 'gross domestic product';
const INCOME = 'personal income and outlays';
const RETAIL = 'advance retail sales';
const DURABLES = 'advance durable goods';
const HOUSING = 'new residential construction';
const NEW_HOMES = 'new residential sales';
const INDUSTRY = 'industrial production and capacity utilization';
const TRADE = 'us international trade in goods and services';

export const WELL_KNOWN_EVENTS: readonly WellKnownEvent[] = [
  // Employment.
  row('nonfarm-payrolls', 'Nonfarm Payrolls', monthly(20), 'level', 'persons', major(3), JOBS),
  row(
    'private-payrolls',
    'Private Nonfarm Payrolls',
    monthly(20),
    'level',
    'persons',
    major(2),
    JOBS,
  ),
  row('unemployment-rate', 'Unemployment Rate', monthly(20), 'level', 'percent', major(3), JOBS),
  row(
    'hourly-earnings-mom',
    'Average Hourly Earnings',
    monthly(20),
    'mom',
    'percent',
    major(3),
    JOBS,
  ),
  row(
    'hourly-earnings-yoy',
    'Average Hourly Earnings',
    monthly(20),
    'yoy',
    'percent',
    major(2),
    JOBS,
    ['average hourly earnings', 'average hourly earnings (yoy)'],
  ),
  row('participation-rate', 'Participation Rate', monthly(20), 'level', 'percent', minor(2), JOBS),
  row('adp-employment', 'ADP Nonfarm Employment Change', monthly(15), 'level', 'persons', major(3)),
  row(
    'jolts-openings',
    'JOLTS Job Openings',
    monthly(45),
    'level',
    'persons',
    major(3),
    'job openings and labor turnover survey',
    ['jolts job openings', 'jolts'],
  ),
  anchored('initial-jobless-claims', 'Initial Jobless Claims', 'persons', major(3), 4, 510),
  anchored('continuing-jobless-claims', 'Continuing Jobless Claims', 'persons', minor(2), 4, 510),
  row(
    'employment-cost-index',
    'Employment Cost Index',
    QUARTERLY,
    'qoq',
    'percent',
    minor(3),
    'employment cost index',
    ['employment cost index', 'employment cost index (qoq)'],
  ),
  // Prices.
  row('cpi-mom', 'CPI', monthly(25), 'mom', 'percent', major(3), CPI),
  row('cpi-yoy', 'CPI', monthly(25), 'yoy', 'percent', major(3), CPI),
  row('core-cpi-mom', 'Core CPI', monthly(25), 'mom', 'percent', major(3), CPI),
  row('core-cpi-yoy', 'Core CPI', monthly(25), 'yoy', 'percent', major(3), CPI),
  row('ppi-mom', 'PPI', monthly(25), 'mom', 'percent', major(3), PPI),
  row('ppi-yoy', 'PPI', monthly(25), 'yoy', 'percent', major(2), PPI),
  row('core-ppi-mom', 'Core PPI', monthly(25), 'mom', 'percent', major(2), PPI),
  row('core-ppi-yoy', 'Core PPI', monthly(25), 'yoy', 'percent', major(2), PPI),
  row('pce-mom', 'PCE Price Index', monthly(40), 'mom', 'percent', major(3), INCOME),
  row('pce-yoy', 'PCE Price Index', monthly(40), 'yoy', 'percent', major(3), INCOME),
  row('core-pce-mom', 'Core PCE Price Index', monthly(40), 'mom', 'percent', major(3), INCOME),
  row('core-pce-yoy', 'Core PCE Price Index', monthly(40), 'yoy', 'percent', major(3), INCOME),
  row('pce-prices-qoq', 'PCE Prices', VINTAGES, 'qoq', 'percent', major(2), GDP),
  row('core-pce-prices-qoq', 'Core PCE Prices', VINTAGES, 'qoq', 'percent', major(2), GDP),
  // Output, income and spending.
  row('gdp-qoq', 'GDP', VINTAGES, 'qoq', 'percent', major(3), GDP),
  row('gdp-price-index-qoq', 'GDP Price Index', VINTAGES, 'qoq', 'percent', major(2), GDP),
  row('personal-income-mom', 'Personal Income', monthly(40), 'mom', 'percent', major(2), INCOME),
  row(
    'personal-spending-mom',
    'Personal Spending',
    monthly(40),
    'mom',
    'percent',
    major(2),
    INCOME,
  ),
  row('retail-sales-mom', 'Retail Sales', monthly(25), 'mom', 'percent', major(3), RETAIL),
  row('retail-sales-yoy', 'Retail Sales', monthly(25), 'yoy', 'percent', major(2), RETAIL),
  row(
    'core-retail-sales-mom',
    'Core Retail Sales',
    monthly(25),
    'mom',
    'percent',
    major(3),
    RETAIL,
  ),
  row(
    'durable-goods-mom',
    'Durable Goods Orders',
    monthly(35),
    'mom',
    'percent',
    major(3),
    DURABLES,
  ),
  row(
    'core-durable-goods-mom',
    'Core Durable Goods Orders',
    monthly(35),
    'mom',
    'percent',
    major(3),
    DURABLES,
  ),
  row(
    'industrial-production-mom',
    'Industrial Production',
    monthly(25),
    'mom',
    'percent',
    major(2),
    INDUSTRY,
  ),
  row(
    'industrial-production-yoy',
    'Industrial Production',
    monthly(25),
    'yoy',
    'percent',
    major(2),
    INDUSTRY,
  ),
  row('consumer-credit', 'Consumer Credit', DATED, 'level', 'usd', minor(2)),
  row('trade-balance', 'Trade Balance', monthly(50), 'level', 'usd', major(2), TRADE),
  row(
    'factory-orders-mom',
    'Factory Orders',
    monthly(50),
    'mom',
    'percent',
    minor(2),
    'factory orders',
  ),
  // Housing.
  row('housing-starts', 'Housing Starts', monthly(25), 'level', 'units', major(2), HOUSING),
  row('housing-starts-mom', 'Housing Starts', monthly(25), 'mom', 'percent', major(2), HOUSING),
  row('building-permits', 'Building Permits', monthly(25), 'level', 'units', major(2), HOUSING),
  row('building-permits-mom', 'Building Permits', monthly(25), 'mom', 'percent', major(2), HOUSING),
  row('new-home-sales', 'New Home Sales', monthly(35), 'level', 'units', major(3), NEW_HOMES),
  row('new-home-sales-mom', 'New Home Sales', monthly(35), 'mom', 'percent', major(2), NEW_HOMES),
  privately('existing-home-sales', 'Existing Home Sales', monthly(30), 'level', 'units', major(3)),
  privately(
    'existing-home-sales-mom',
    'Existing Home Sales',
    monthly(30),
    'mom',
    'percent',
    major(2),
  ),
  privately(
    'pending-home-sales-mom',
    'Pending Home Sales',
    monthly(35),
    'mom',
    'percent',
    minor(2),
  ),
  // Surveys.
  privately('ism-manufacturing', 'ISM Manufacturing PMI', monthly(15), 'level', 'index', major(3)),
  privately('ism-services', 'ISM Services PMI', monthly(15), 'level', 'index', major(3), [
    'ism services pmi',
    'ism non-manufacturing pmi',
  ]),
  privately(
    'philadelphia-fed',
    'Philadelphia Fed Manufacturing Index',
    DATED,
    'level',
    'index',
    minor(2),
  ),
  privately('chicago-pmi', 'Chicago PMI', monthly(15), 'level', 'index', minor(2)),
  privately(
    'consumer-confidence',
    'CB Consumer Confidence',
    monthly(15),
    'level',
    'index',
    major(3),
    ['cb consumer confidence', 'conference board consumer confidence'],
  ),
  privately(
    'michigan-sentiment',
    'Michigan Consumer Sentiment',
    { kind: 'monthly', lagDays: 1, finalFromDay: 20 },
    'level',
    'index',
    major(2),
  ),
  // The Federal Reserve.
  privately('fomc-statement', 'FOMC Statement', DATED, null, null, major(3)),
  privately(
    'fomc-rate-decision',
    'Fed Interest Rate Decision',
    DATED,
    'level',
    'percent',
    major(3),
  ),
  privately('fomc-press-conference', 'FOMC Press Conference', DATED, null, null, minor(3)),
  privately('fomc-minutes', 'FOMC Meeting Minutes', DATED, null, null, major(3), [
    'fomc meeting minutes',
    'fomc minutes',
  ]),
  privately('fomc-projections', 'FOMC Economic Projections', DATED, null, null, major(3)),
  privately('beige-book', 'Beige Book', DATED, null, null, minor(2)),
  // Weekly releases that calibrate clocks.
  anchored('eia-crude-inventories', 'EIA Crude Oil Inventories', 'barrels', minor(2), 3, 630, [
    'crude oil inventories',
    'eia crude oil inventories',
  ]),
  anchored('natural-gas-storage', 'Natural Gas Storage', 'cubic feet', minor(1), 4, 630),
  {
    ...anchored(
      'mba-mortgage-applications',
      'MBA Mortgage Applications',
      'percent',
      minor(1),
      3,
      420,
    ),
    isAgency: false,
  },
];

interface Weight {
  importance: 1 | 2 | 3;
  usMajor: boolean;
}

function row(
  stem: string,
  name: string,
  cadence: Cadence,
  measure: Measure | null,
  unit: string | null,
  weight: Weight,
  release: string | null = null,
  aliases: readonly string[] = [name.toLowerCase()],
): WellKnownEvent {
  const overrides = {
    stem: `us-${stem}`,
    name,
    aliases,
    measure,
    unit,
    ...weight,
    cadence,
    release,
  };
  return { ...overrides, isAgency: true, anchor: null };
}

/** Defines an event that is not limited to working days, because it is not an agency statistic. */
function privately(
  stem: string,
  name: string,
  cadence: Cadence,
  measure: Measure | null,
  unit: string | null,
  weight: Weight,
  aliases?: readonly string[],
): WellKnownEvent {
  const overrides = row(stem, name, cadence, measure, unit, weight, null, aliases);
  return { ...overrides, isAgency: false };
}

function anchored(
  stem: string,
  name: string,
  unit: string,
  weight: Weight,
  weekday: number,
  minute: number,
  aliases?: readonly string[],
): WellKnownEvent {
  const overrides = row(stem, name, WEEKLY, 'level', unit, weight, null, aliases);
  return { ...overrides, anchor: { weekday, minute } };
}

function monthly(lagDays: number): Cadence {
  return { kind: 'monthly', lagDays };
}

function major(importance: 1 | 2 | 3): Weight {
  return { importance, usMajor: true };
}

function minor(importance: 1 | 2 | 3): Weight {
  return { importance, usMajor: false };
}
