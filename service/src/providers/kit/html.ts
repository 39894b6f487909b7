import { DomUtils, ElementType, parseDocument } from 'htmlparser2';

export type HtmlDocument = ReturnType<typeof parseDocument>;
export type HtmlNode = HtmlDocument['childNodes'][number];
export type HtmlElement = ReturnType<typeof elementsOfTag>[number];

/** Parses a web page, or with `xml`, an XML document. Never throws: errors are skipped. */
export function parseMarkup(text: string, kind: 'html' | 'xml'): HtmlDocument {
  return parseDocument(text, { xmlMode: kind === 'xml' });
}

/** Returns all elements with one of the tag names, in document order. */
export function elementsOfTag(root: HtmlDocument | HtmlNode, ...names: readonly string[]) {
  return DomUtils.getElementsByTagName((name) => names.includes(name), root, true);
}

/** Returns true if the element has the class. */
export function hasClass(element: HtmlElement, name: string): boolean {
  return (element.attribs['class'] ?? '').split(/\s+/).includes(name);
}

/** Inline elements. All others, such as cells and line breaks, separate words. */
const INLINE = new Set(['a', 'abbr', 'b', 'em', 'font', 'i', 'span', 'strong', 'sub', 'sup', 'u']);

/**
 * Returns the text of a node as a reader sees it: without markup, in single spaces, trimmed. Walks
 * without recursion, so that a hostile page cannot exhaust the stack.
 */
export function visibleText(node: HtmlDocument | HtmlNode): string {
  const parts: string[] = [];
  const pending: (HtmlDocument | HtmlNode | ' ')[] = [node];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next === ' ') parts.push(next);
    else if (next.type === ElementType.Text) parts.push(next.data);
    else if ('children' in next) {
      const edge: ' '[] = 'name' in next && INLINE.has(next.name) ? [] : [' '];
      pending.push(...edge, ...next.children.toReversed(), ...edge);
    }
  }
  return parts.join('').replaceAll(/\s+/g, ' ').trim();
}
