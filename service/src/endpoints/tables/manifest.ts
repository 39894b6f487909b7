import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A complete set of Parquet files: one folder per table, and in it one file per year. */
export interface Manifest {
  format: 'parquet';
  /** RFC 3339. */
  exportedAt: string;
  tables: TableFiles[];
}

export interface TableFiles {
  dataset: string;
  columns: { name: string; type: string }[];
  /** Decimals that were rounded to their column, or too large for it and null. */
  rounded: number;
  tooLarge: number;
  files: DataFile[];
}

export interface DataFile {
  /** `2026.parquet`, `undated.parquet`, or `all.parquet` for a table without days. */
  file: string;
  /** First and last day that the file can contain; null without days. */
  from: string | null;
  to: string | null;
  rows: number;
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
  writtenAt: string;
  /** State of the stored rows from which the file was written. */
  fingerprint: string | null;
}

const FILE = 'manifest.json';
/** Link to the newest complete set in a folder of sets. */
export const LATEST = 'latest';

/** Loads the manifest of a set; null if the folder has none. */
export async function loadManifest(folder: string): Promise<Manifest | null> {
  try {
    return JSON.parse(await readFile(join(folder, FILE), 'utf8')) as Manifest;
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return null;
    throw error;
  }
}

export function manifestPath(folder: string): string {
  return join(folder, FILE);
}
