import type { Profile, ProfileFields } from '../../datasets/profiles/row.ts';
import { profileVersions } from '../../datasets/profiles/store.ts';
import { isListed } from '../../datasets/securities/listed.ts';
import { sectorOfSic } from '../../domain/sector.ts';
import { classifySecurity } from '../../domain/security-type.ts';
import { companyProfile, NO_PRICES, PROFILE_SOURCES, renderProfile } from '../rows/profile-row.ts';
import { defineTable, storedVersions } from './table.ts';

/** Classifies a company by the facts that are left, as a store without the other sources does. */
function classifyAgain({ symbol, fields, provenance }: Profile): ProfileFields {
  const { companyName: name, sicCode, sector, tags } = fields;
  const isEtf = provenance['isEtf'] !== undefined && tags.includes('etf');
  const classified = { ...fields, ...classifySecurity({ symbol, name, sicCode, isEtf }) };
  if (sector !== null) return classified;
  const hasCode = sicCode !== null;
  return {
    ...classified,
    sector: hasCode ? sectorOfSic(sicCode) : null,
    classification: hasCode ? 'sic' : 'provider',
  };
}

export const table = defineTable<Profile & { isListed: boolean | null }>({
  name: 'profiles',
  describe: 'Company profiles: sector, industry, country, type, shares.',
  endpoint: '/v1/profile/{symbol}',
  row: companyProfile,
  omitted: ['price', 'priceDate', 'marketCap', 'averageVolume', 'nextEarnings'],
  sources: PROFILE_SOURCES,
  stored: {
    ...storedVersions('profile', profileVersions, {
      key: 'security_id',
      securityId: 'security_id',
      // Uses the primary key of security.
      select: [
        `case when v.known_to is null then (select ${isListed('company')} from security company
          where company.id = v.security_id) end as "isListed"`,
      ],
    }),
    // Price lists decide whether a security is still listed, without a new version.
    fingerprint: null,
  },
  recompute: (stored) => ({ ...stored, fields: classifyAgain(stored) }),
  render: (stored) => {
    const { symbol, fields, updatedAt } = stored;
    return renderProfile({
      // The stored profile already has the name of the security.
      security: { symbol, name: null, cik: fields.cik },
      active: stored.isListed ?? fields.active,
      stored,
      prices: NO_PRICES,
      events: [],
      next: null,
      updatedAt,
    });
  },
});
