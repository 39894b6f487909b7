import { createHash } from 'node:crypto';
import { formatInstant, type Instant } from '../platform/instant.ts';

/** An entry of an Atom feed (RFC 4287 §4.1.2). */
export interface AtomEntry {
  /** Unique URI that never changes, such as a `urn:uuid:`. */
  id: string;
  title: string;
  updatedAt: Instant;
  /** Page about the entry, absolute or relative to the feed; null if there is none. */
  url: string | null;
  categories: readonly string[];
  /** Paragraphs of plain text. */
  lines: readonly string[];
}

export interface AtomFeed {
  id: string;
  title: string;
  author: string;
  /** Address of the feed, absolute or relative to the address it was read from. */
  selfUrl: string;
  /** Newest first. */
  entries: readonly AtomEntry[];
}

/**
 * Renders an Atom 1.0 feed. The same feed always produces the same text: `updated` is that of the
 * newest entry, and that of an empty feed is the beginning of 1970.
 */
export function renderAtom(feed: AtomFeed): string {
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element('id', feed.id),
    element('title', feed.title),
    element('updated', formatInstant(Math.max(0, ...feed.entries.map(updatedAtOf)))),
    `<author>${element('name', feed.author)}</author>`,
    `<link rel="self" type="application/atom+xml" href="${escapeXml(feed.selfUrl)}"/>`,
    ...feed.entries.map(renderEntry),
    '</feed>',
    '',
  ].join('\n');
}

function renderEntry({ id, title, updatedAt, url, categories, lines }: AtomEntry): string {
  const html = lines.map((line) => `<p>${escapeXml(line)}</p>`).join('');
  return [
    '<entry>',
    element('id', id),
    element('title', title),
    element('updated', formatInstant(updatedAt)),
    element('published', formatInstant(updatedAt)),
    ...(url === null ? [] : [`<link rel="alternate" type="text/html" href="${escapeXml(url)}"/>`]),
    ...categories.map((term) => `<category term="${escapeXml(term)}"/>`),
    // The content is HTML inside XML, so it is escaped twice.
    `<content type="html">${escapeXml(html)}</content>`,
    '</entry>',
  ].join('\n');
}

/** Returns a URN that is always the same for the same names: a UUID of version 5 (RFC 9562 §5.5). */
export function urnOf(...names: readonly string[]): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(JSON.stringify(names)).digest();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex', 0, 16);
  return `urn:uuid:${hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`;
}

/** A random UUID, so that no other program derives the same ids. Must never change. */
const NAMESPACE = Buffer.from('5b0d9d6f4a524b6d9f0e7c1f3ad0c8e2', 'hex');

function updatedAtOf({ updatedAt }: AtomEntry): Instant {
  return updatedAt;
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}

/** Escapes text for elements and attributes, and drops characters that XML 1.0 does not allow. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
