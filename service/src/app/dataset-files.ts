import { join } from 'node:path';
import type { Settings } from '../config/settings.ts';
import { mayBeLicensed } from '../providers/licensed-providers.ts';
import { providers } from '../providers/registry.gen.ts';
import { storeFolder, type StoreKind } from './store-kind.ts';

/**
 * Returns the folder of the Parquet files that customers download. With `licensedSourcesOnly` it is
 * another one, so that files from before the setting was switched on are never served.
 */
export function datasetsFolder(
  settings: Pick<Settings, 'datasetFilesDir' | 'dataDir' | 'licensedSourcesOnly'>,
  kind: StoreKind,
): string {
  const { datasetFilesDir, dataDir, licensedSourcesOnly } = settings;
  const folder = datasetFilesDir ?? join(storeFolder(dataDir, kind), 'datasets');
  return licensedSourcesOnly ? `${folder}-licensed` : folder;
}

/**
 * Returns the sources whose data is left out of bars and exported files. A public service does not
 * ingest such sources, but an older store may have their data.
 */
export function withheldSources({
  licensedSourcesOnly,
}: Pick<Settings, 'licensedSourcesOnly'>): string[] {
  if (!licensedSourcesOnly) return [];
  const refused = providers.filter(({ redistribution }) => !mayBeLicensed(redistribution));
  return refused.map(({ name }) => name);
}
