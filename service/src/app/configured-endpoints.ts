import type { VolumeCriteria } from '../domain/unusual-volume.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { endpoints } from '../endpoints/registry.gen.ts';
import { unusualVolumeEndpoint } from '../endpoints/unusual-volume.ts';
import type { Settings } from '../config/settings.ts';

/** All endpoints, those that an operator can tune by the settings. */
export function configuredEndpoints(settings: CriteriaSettings): Endpoint[] {
  const tuned = unusualVolumeEndpoint(volumeCriteriaOf(settings));
  return endpoints.map((endpoint) => (endpoint.name === tuned.name ? tuned : endpoint));
}

type CriteriaSettings = Pick<
  Settings,
  | 'unusualLookbackSessions'
  | 'unusualMinRelativeVolume'
  | 'unusualMinPrice'
  | 'unusualMinAverageVolume'
  | 'unusualMinDollarVolume'
  | 'unusualMaxRows'
>;

function volumeCriteriaOf(settings: CriteriaSettings): VolumeCriteria {
  return {
    lookbackSessions: settings.unusualLookbackSessions,
    minRelativeVolume: settings.unusualMinRelativeVolume,
    minPrice: settings.unusualMinPrice,
    minAverageVolume: settings.unusualMinAverageVolume,
    minDollarVolume: settings.unusualMinDollarVolume,
    maxRows: settings.unusualMaxRows,
  };
}
