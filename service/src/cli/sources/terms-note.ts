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

/** The terms of each source, one a line; made-up data have none. */
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
 * What the first start with such sources says, and no later one: that their data are for the
 * operator alone. Empty when there is nothing to say, or it was said of these sources before.
 */
export async function firstNote(db: Queryable, sources: readonly Source[]): Promise<string> {
  const personal = namesOf(sources, 'not-granted');
  const contracted = namesOf(sources, 'with-contract');
  if (personal.length + contracted.length === 0) return '';
  const said = [...personal, ...contracted].toSorted().join(',');
  const before = await claimMarker(db, MARKER, '');
  if (before === said) return '';
  await setMarker(db, MARKER, said);
  return renderNote(personal, contracted);
}

/** One paragraph: what may not be shown, to whom that matters, and what to set. */
function renderNote(personal: readonly string[], contracted: readonly string[]): string {
  const parts = ['NOTE: these data are yours to use, and not yours to show to others.'];
  if (personal.length > 0) {
    parts.push(`The terms of ${personal.join(', ')} grant nobody the right to pass data on.`);
  }
  if (contracted.length > 0) {
    parts.push(`${contracted.join(', ')}: only with a contract that says so; a free key is none.`);
  }
  parts.push(
    'Before others use this service, set LICENSED_SOURCES_ONLY=true and begin with an empty store;',
    'docs/sources-and-terms.md says more.',
  );
  return `\n${parts.join(' ')}\n\n`;
}

function namesOf(sources: readonly Source[], wanted: Redistribution): string[] {
  return sources.filter(({ redistribution }) => redistribution === wanted).map(({ name }) => name);
}
