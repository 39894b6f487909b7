import type { CompanyEarningsRow } from '../api/reads.gen.ts';

export interface FieldSource {
  source: string;
  /** A link that is safe to open, or null. */
  url: string | null;
  seenAt: string;
  fields: readonly string[];
}

/** The sources of a row's fields, grouped by source, URL and time. */
export function fieldSources({ provenance }: CompanyEarningsRow): FieldSource[] {
  const groups = new Map<
    string,
    { source: string; url: string | null; seenAt: string; fields: string[] }
  >();
  for (const [field, value] of Object.entries(provenance ?? {})) {
    const source = readSource(value);
    if (source === null) continue;
    const key = `${source.source} ${source.url} ${source.seenAt}`;
    const group = groups.get(key) ?? { ...source, fields: [] };
    group.fields.push(field);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function readSource(value: unknown): Omit<FieldSource, 'fields'> | null {
  if (typeof value !== 'object' || value === null) return null;
  const { source, url, seenAt } = value as Record<string, unknown>;
  if (typeof source !== 'string' || typeof seenAt !== 'string') return null;
  const isSafe = typeof url === 'string' && url.startsWith('https://');
  return { source, url: isSafe ? url : null, seenAt };
}
