import { join } from 'node:path';
import type { Settings } from '../config/settings.ts';
import { mayBeLicensed } from '../providers/licensed-providers.ts';
import { providers } from '../providers/registry.gen.ts';
import { storeFolder, type StoreKind } from './store-kind.ts';

/** Returns the folder of the Parquet files that customers download. */
export function datasetsFolder(
  { datasetFilesDir, dataDir }: Pick<Settings, 'datasetFilesDir' | 'dataDir'>,
  kind: StoreKind,
): string {
  return datasetFilesDir ?? join(storeFolder(dataDir, kind), 'datasets');
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
