import { BackupError } from './backup-error.ts';

/** The first file in a backup, `manifest.json`. */
export interface BackupManifest {
  format: typeof FORMAT;
  formatVersion: number;
  /** ISO instant. */
  createdAt: string;
  /** Version of the program that wrote the backup. */
  program: string;
  /** Engine that the rows were read from. They can be restored on either engine. */
  engine: 'pglite' | 'postgres';
  /** Kind of the store, sandbox or live, which never changes. */
  kind: string | null;
  /** The applied migrations, in order. */
  schema: SchemaStep[];
  /** The tables, in the order in which their rows appear in the archive. */
  tables: BackupTable[];
  /** The last value of each identity column. */
  counters: Counter[];
}

export interface SchemaStep {
  number: number;
  name: string;
  checksum: string;
}

export interface BackupTable {
  name: string;
  columns: string[];
  rows: number;
  /** A checksum of the rows that doesn't depend on their order. See `tables.ts`. */
  checksum: string;
}

export interface Counter {
  table: string;
  column: string;
  last: number;
  /** True if `last` has already been assigned to a row; false if it is the next value to assign. */
  isGiven: boolean;
}

const FORMAT = 'afterbell-backup';
const FORMAT_VERSION = 1;

export function makeManifest(
  facts: Omit<BackupManifest, 'format' | 'formatVersion'>,
): BackupManifest {
  return { format: FORMAT, formatVersion: FORMAT_VERSION, ...facts };
}

export function totalRows({ tables }: BackupManifest): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}

/**
 * Parses a manifest. Throws BackupError if the file isn't a backup or has a newer format version.
 */
export function parseManifest(text: string): BackupManifest {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    read = null;
  }
  // The checksum has already been verified, so only the header is checked here.
  const manifest = read as Partial<BackupManifest> | null;
  if (manifest?.format !== FORMAT || typeof manifest.formatVersion !== 'number') {
    throw new BackupError('this file is not a backup of this service');
  }
  if (manifest.formatVersion > FORMAT_VERSION) {
    throw new BackupError(
      `this backup has format ${manifest.formatVersion}, and this program supports up to ` +
        `${FORMAT_VERSION}: use the release that made it (${manifest.program}) or a newer one`,
    );
  }
  return manifest as BackupManifest;
}
