import type { ProfileObservation } from '../../../datasets/profiles/observation.ts';
import { readText } from '../../kit/fields.ts';
import type { JsonObject } from '../../kit/json.ts';

type Country = Pick<ProfileObservation, 'stateOrCountry' | 'country' | 'countryCode'>;

const STATES: ReadonlySet<string> = new Set(
  (
    'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH ' +
    'NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY'
  ).split(' '),
);
/** EDGAR's codes for the Canadian provinces and for Canada as a whole. */
const CANADA = /^(A\d|B0|Z4)$/;

/**
 * Returns the filer's country, from its business address. EDGAR uses its own codes: two letters for
 * a U.S. state, a letter and a digit for a country. Only U.S. states and Canadian provinces are
 * mapped to an ISO code; for other countries, the name in the response is used and the code stays
 * null.
 */
export function countryOf(address: JsonObject): Country {
  const stateOrCountry = readText(address, 'stateOrCountry');
  const name = readText(address, 'country') ?? readText(address, 'stateOrCountryDescription');
  if (stateOrCountry === null) {
    return { stateOrCountry, country: readText(address, 'country'), countryCode: null };
  }
  if (STATES.has(stateOrCountry)) {
    return { stateOrCountry, country: 'United States', countryCode: 'US' };
  }
  if (CANADA.test(stateOrCountry)) return { stateOrCountry, country: 'Canada', countryCode: 'CA' };
  const isOnlyTheCode = name === stateOrCountry;
  return { stateOrCountry, country: isOnlyTheCode ? null : name, countryCode: null };
}
