import { BackupError } from './backup-error.ts';

/** What a backup says of itself: its first file, `manifest.json`. */
export interface BackupManifest {
  format: typeof FORMAT;
  formatVersion: number;
  /** ISO instant. */
  createdAt: string;
  /** Version of the program that made it. */
  program: string;
  /** Where the rows came from; they go into either. */
  engine: 'pglite' | 'postgres';
  /** What the store is for life. */
  kind: string | null;
  /** The migrations that had been applied, in order. */
  schema: SchemaStep[];
  /** In the order in which their rows follow. */
  tables: BackupTable[];
  /** The last number each counting column has given. */
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
  /** A sum over the rows, the same in whatever order they stand; see `tables.ts`. */
  checksum: string;
}

export interface Counter {
  table: string;
  column: string;
  last: number;
  /** Whether `last` was given out; else it is the next. */
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

/** Throws BackupError for what is no backup, or one of a format of later. */
export function parseManifest(text: string): BackupManifest {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    read = null;
  }
  // The seal has shown by now that this is what a backup wrote; its head alone is looked at.
  const manifest = read as Partial<BackupManifest> | null;
  if (manifest?.format !== FORMAT || typeof manifest.formatVersion !== 'number') {
    throw new BackupError('this file is no backup of this service');
  }
  if (manifest.formatVersion > FORMAT_VERSION) {
    throw new BackupError(
      `this backup has format ${manifest.formatVersion}, and this program knows up to ` +
        `${FORMAT_VERSION}: use the release that made it (${manifest.program}) or a newer one`,
    );
  }
  return manifest as BackupManifest;
}
