import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { resolveLink } from './resolve-link.ts';
import { GUIDE_GROUPS } from './guide-groups.ts';

/** Where the documents stand, beside the service in the same repository. */
const DOCS = fileURLToPath(new URL('../../../../docs', import.meta.url));

export interface Guide {
  /** The file's name without its ending, as in `/guides/NAME`. */
  name: string;
  group: string;
  /** Its first heading. */
  title: string;
  /** Its first sentence, as plain text. */
  summary: string;
  /** Markdown whose links lead to what is served, without remarks for its writers. */
  text: string;
}

/** The guides there are, in the order of the shelf. */
export function loadGuides(folder: string = DOCS): readonly Guide[] {
  const found = GUIDE_GROUPS.flatMap(({ group, names }) =>
    names.flatMap((name) => {
      const text = readIfThere(join(folder, `${name}.md`));
      return text === null ? [] : [{ group, name, text: withoutRemarks(text) }];
    }),
  );
  const names = new Set(found.map(({ name }) => name));
  return found.map(({ group, name, text }) => ({
    group,
    name,
    title: /^# (.+)$/m.exec(text)?.[1] ?? name,
    summary: summaryOf(text),
    text: withServedLinks(text, names),
  }));
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Remarks say how a document is made and tested, which is nothing to its readers. */
function withoutRemarks(text: string): string {
  return text.replaceAll(/^<!--.*?-->\n+/gms, '');
}

/** The first sentence below the first heading, its marks taken out. */
function summaryOf(text: string): string {
  const paragraph = /^# .+\n+([^\n#|`][^]*?)\n\n/m.exec(text)?.[1] ?? '';
  const plain = paragraph
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]|(?<!\w)_|_(?!\w)/g, '')
    .replaceAll('\n', ' ');
  return /^.*?[.:](?= |$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain;
}

/** The same text with the targets of its links changed; what is in a block of code stays. */
function withServedLinks(text: string, names: ReadonlySet<string>): string {
  return text
    .split(/(^```.*?^```$)/ms)
    .map((part) => (part.startsWith('```') ? part : changeLinks(part, names)))
    .join('');
}

function changeLinks(text: string, names: ReadonlySet<string>): string {
  return text.replaceAll(/\[([^\]]+)\]\(([^()\s]+)\)/g, (_, label: string, target: string) => {
    const served = resolveLink(target, names);
    return served === null ? label : `[${label}](${served})`;
  });
}
