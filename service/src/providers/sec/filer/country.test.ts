import { expect, it } from 'vitest';
import { countryOf } from './country.ts';

it.each([
  [{ stateOrCountry: 'WA' }, 'United States', 'US'],
  [{ stateOrCountry: 'DC', stateOrCountryDescription: 'DC' }, 'United States', 'US'],
  [{ stateOrCountry: 'A6', stateOrCountryDescription: 'Ontario, Canada' }, 'Canada', 'CA'],
  [{ stateOrCountry: 'L2', stateOrCountryDescription: 'Ireland' }, 'Ireland', null],
  [{ stateOrCountry: 'K3', country: 'Hong Kong', countryCode: 'K3' }, 'Hong Kong', null],
  [{ stateOrCountry: 'M5', stateOrCountryDescription: 'M5' }, null, null],
  [{ stateOrCountry: null, country: 'Norway' }, 'Norway', null],
  [{}, null, null],
])('reads the address %j as the country %s with the code %s', (address, country, countryCode) => {
  expect(countryOf(address)).toMatchObject({ country, countryCode });
});
