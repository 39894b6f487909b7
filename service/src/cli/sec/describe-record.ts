import type { DocumentRecord } from '../../providers/sec/read-document.ts';

/** Renders a record as one heading and one indented line for each of its values. */
export function describeRecord(record: DocumentRecord): string {
  const { kind, path, ...values } = record;
  const heading = typeof path === 'string' ? `${kind}  ${path}` : kind;
  const lines = Object.entries(values).flatMap(([name, value]) => describe(name, value));
  return `${heading}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

function describe(name: string, value: unknown): string[] {
  if (value === null || (Array.isArray(value) && value.length === 0)) return [`${name}: -`];
  if (Array.isArray(value)) {
    if (value.every((each) => typeof each !== 'object')) return [`${name}: ${value.join(', ')}`];
    return value.map((each) => `${name}: ${inline(each)}`);
  }
  return [`${name}: ${inline(value)}`];
}

function inline(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.values(value)
    .filter((each) => each !== null && each !== '')
    .map((each) => inline(each))
    .join(' · ');
}
