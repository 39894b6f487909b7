import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { resolveLink } from './resolve-link.ts';

/**
 * Documents in docs/ that are served as guides, in display order. A name without a file is skipped,
 * so a guide can be listed before it is written.
 */
const GUIDE_GROUPS: readonly GuideGroup[] = [
  {
    group: 'Get started',
    isForCustomers: true,
    names: ['first-answer', 'sources-and-terms'],
  },
  {
    group: 'Use the data',
    isForCustomers: true,
    names: [
      'endpoints',
      'mcp',
      'python',
      'parquet',
      'spreadsheets',
      'webhooks',
      'following-changes',
      'time-travel',
      'projected-dates',
      'quotas',
      'errors',
    ],
  },
  {
    group: 'Operate',
    isForCustomers: false,
    names: [
      'self-hosting',
      'security',
      'keys-and-people',
      'management-api',
      'own-files',
      'ingest',
      'reading-filings',
      'backup-and-restore',
      'metrics',
      'scaling',
      'cells',
    ],
  },
  {
    group: 'Reference',
    isForCustomers: false,
    names: [
      'settings',
      'providers',
      'glossary',
      'reliability',
      'delivery-protocol',
      'measured-on-real-days',
    ],
  },
];

interface GuideGroup {
  group: string;
  /** False for guides that only operators and contributors need. */
  isForCustomers: boolean;
  names: readonly string[];
}

/** The folder docs/ in the repository root. */
const DOCS = fileURLToPath(new URL('../../../../docs', import.meta.url));

export interface Guide {
  /** File name without its extension, as in `/guides/NAME`. */
  name: string;
  group: string;
  isForCustomers: boolean;
  /** The document's first heading. */
  title: string;
  /** The document's first sentence, as plain text. */
  summary: string;
  /** Markdown with links to served pages and without HTML comments. */
  text: string;
}

/** Loads all guides in the order of `GUIDE_GROUPS`. */
export function loadGuides(folder: string = DOCS): readonly Guide[] {
  const documents = GUIDE_GROUPS.flatMap(({ group, isForCustomers, names }) =>
    names.flatMap((name) => {
      const text = readIfExists(join(folder, `${name}.md`));
      return text === null ? [] : [{ group, isForCustomers, name, text: withoutComments(text) }];
    }),
  );
  const names = new Set(documents.map(({ name }) => name));
  return documents.map(({ group, isForCustomers, name, text }) => ({
    group,
    isForCustomers,
    name,
    title: /^# (.+)$/m.exec(text)?.[1] ?? name,
    summary: summaryOf(text),
    text: withServedLinks(text, names),
  }));
}

function readIfExists(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Removes HTML comments, which are notes for authors. */
function withoutComments(text: string): string {
  return text.replaceAll(/^<!--.*?-->\n+/gms, '');
}

/** Returns the first sentence after the first heading, without Markdown syntax. */
function summaryOf(text: string): string {
  const paragraph = /^# .+\n+([^\n#|`][^]*?)\n\n/m.exec(text)?.[1] ?? '';
  const plain = paragraph
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]|(?<!\w)_|_(?!\w)/g, '')
    .replaceAll('\n', ' ');
  return /^.*?[.:](?= |$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain;
}

/** Rewrites link targets, but leaves code blocks unchanged. */
function withServedLinks(text: string, names: ReadonlySet<string>): string {
  return text
    .split(/(^```.*?^```$)/ms)
    .map((part) => (part.startsWith('```') ? part : rewriteLinks(part, names)))
    .join('');
}

function rewriteLinks(text: string, names: ReadonlySet<string>): string {
  return text.replaceAll(/\[([^\]]+)\]\(([^()\s]+)\)/g, (_, label: string, target: string) => {
    const servedPath = resolveLink(target, names);
    return servedPath === null ? label : `[${label}](${servedPath})`;
  });
}
