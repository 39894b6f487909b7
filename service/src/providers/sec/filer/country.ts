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
/** EDGAR's codes of the Canadian provinces, and of Canada as a whole. */
const CANADA = /^(A\d|B0|Z4)$/;

/**
 * Where a filer is, from its business address. EDGAR has codes of its own: two letters for a state
 * of the Union, letter and digit for a country. Only states and Canadian provinces are turned into
 * an ISO code; elsewhere the country is the name the answer gives, and the code is not guessed.
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
