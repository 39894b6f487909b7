import type { Redistribution } from '../../providers/provider.ts';
import { claimMarker, setMarker } from '../../storage/marker.ts';
import type { Queryable } from '../../storage/db.ts';

interface Source {
  name: string;
  redistribution: Redistribution;
  terms: string;
  termsUrl?: string;
}

const MARKER = 'terms-told';

/** Returns the terms of each source, one per line. Synthetic data has no terms. */
export function termsLines(sources: readonly Source[]): string {
  return sources
    .filter(({ redistribution }) => redistribution !== 'synthetic')
    .map(({ name, redistribution, terms, termsUrl }) => {
      const where = termsUrl === undefined ? '' : ` ${termsUrl}`;
      return `${name} (${redistribution}): ${terms}${where}\n`;
    })
    .join('');
}

/**
 * Returns the note for the first start with sources that restrict redistribution. Returns empty
 * text if there are no such sources or the note was already shown for them.
 */
export async function redistributionNote(
  db: Queryable,
  sources: readonly Source[],
): Promise<string> {
  const personal = namesOf(sources, 'not-granted');
  const contracted = namesOf(sources, 'with-contract');
  if (personal.length + contracted.length === 0) return '';
  const names = [...personal, ...contracted].toSorted().join(',');
  const shownFor = await claimMarker(db, MARKER, '');
  if (shownFor === names) return '';
  await setMarker(db, MARKER, names);
  return renderNote(personal, contracted);
}

function renderNote(personal: readonly string[], contracted: readonly string[]): string {
  const parts = ['NOTE: you may use this data yourself, but you may not redistribute it.'];
  if (personal.length > 0) {
    parts.push(`The terms of ${personal.join(', ')} do not grant redistribution.`);
  }
  if (contracted.length > 0) {
    parts.push(
      `Redistributing data from ${contracted.join(', ')} requires a contract. A free API key is not one.`,
    );
  }
  parts.push(
    'Before you give others access, set LICENSED_SOURCES_ONLY=true and start with an empty store.',
    'See docs/sources-and-terms.md.',
  );
  return `\n${parts.join(' ')}\n\n`;
}

function namesOf(sources: readonly Source[], expected: Redistribution): string[] {
  return sources
    .filter(({ redistribution }) => redistribution === expected)
    .map(({ name }) => name);
}
