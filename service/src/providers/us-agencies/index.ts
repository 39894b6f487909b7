import { isApiKey } from '../kit/api-key.ts';
import { CONTACT_SETTING } from '../kit/contact.ts';
import type { Provider, ProviderSetting } from '../provider.ts';
import { auctionResults, TREASURY_DIRECT_HOST } from './auction-results.ts';
import { auctionSchedule, FISCAL_DATA_HOST } from './auction-schedule.ts';
import { BEA_API_HOST, BEA_KEY_SETTING, beaFigures } from './bea-figures.ts';
import { beaRelease } from './bea-release.ts';
import { BEA_HOST, beaSchedule } from './bea-schedule.ts';
import { beaSchedulePage } from './bea-schedule-page.ts';
import { BLS_API_HOST, blsFigures } from './bls-figures.ts';
import { BLS_HOST, blsSchedule } from './bls-schedule.ts';
import { CENSUS_API_HOST, CENSUS_KEY_SETTING, censusFigures } from './census-figures.ts';
import { CENSUS_HOST, censusSchedule } from './census-schedule.ts';
import { claimsReport, DOL_NEWS_HOST } from './claims-report.ts';
import { fedCalendar } from './fed-calendar.ts';
import { FEDERAL_RESERVE_HOST, fomcCalendar } from './fomc-calendar.ts';
import { fomcDecision } from './fomc-decision.ts';
import { gasStorage } from './gas-storage.ts';
import { industrialProduction } from './industrial-production.ts';
import { petroleumStocks } from './petroleum-stocks.ts';
import { retailSales } from './retail-sales.ts';
import { DOL_HOST, EIA_HOST, EIA_REPORTS_HOST, weeklySchedule } from './weekly-schedule.ts';

export const provider: Provider = {
  name: 'us-agencies',
  title: 'Release schedules and figures of U.S. agencies',
  provides: 'official times and figures of U.S. releases, auctions',
  homepage: 'https://www.bls.gov/schedule/',
  redistribution: 'public-domain',
  terms: 'U.S. government works are in the public domain; name the agency as the source.',
  termsUrl: 'https://www.bls.gov/opub/copyright-information.htm',
  whenRefused:
    'check that SEC_CONTACT has a working e-mail address; BLS also blocks addresses for some hours',
  hosts: [
    BLS_HOST,
    BLS_API_HOST,
    BEA_HOST,
    BEA_API_HOST,
    CENSUS_HOST,
    CENSUS_API_HOST,
    FEDERAL_RESERVE_HOST,
    FISCAL_DATA_HOST,
    TREASURY_DIRECT_HOST,
    DOL_HOST,
    DOL_NEWS_HOST,
    EIA_HOST,
    EIA_REPORTS_HOST,
  ],
  limits: {
    intervalMsMin: 5000,
    timeoutMs: 30_000,
    bodyBytesMax: 4 * 1024 * 1024,
    cooldownMs: 60 * 60_000,
    isPerHost: true,
  },
  settings: [
    CONTACT_SETTING,
    keySetting(BEA_KEY_SETTING, 'Bureau of Economic Analysis', 'https://apps.bea.gov/api/signup/'),
    keySetting(CENSUS_KEY_SETTING, 'Census Bureau', 'https://api.census.gov/data/key_signup.html'),
  ],
  feeds: [
    blsSchedule,
    blsFigures,
    beaSchedule,
    beaSchedulePage,
    beaFigures,
    beaRelease,
    censusSchedule,
    censusFigures,
    retailSales,
    fomcCalendar,
    fedCalendar,
    fomcDecision,
    industrialProduction,
    weeklySchedule,
    claimsReport,
    petroleumStocks,
    gasStorage,
    auctionSchedule,
    auctionResults,
  ],
};

/** Describes the free key of an agency, without which its figures are not fetched. */
function keySetting(name: string, agency: string, signUpUrl: string): ProviderSetting {
  return {
    name,
    required: false,
    secret: true,
    describe: `Free key of the ${agency}. Without it, its releases have times but fewer figures.`,
    fix: `get a free key at ${signUpUrl} and set ${name} to it`,
    accepts: isApiKey,
  };
}
