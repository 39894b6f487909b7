import { problem, type Problem } from '../problems.ts';

/**
 * The store keeps no text with a NUL in it, and none that is not well-formed Unicode, as half of a
 * surrogate pair is not: it fails on them, so they are refused where they come in.
 */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Why what was sent will not do; null when every text in it, names too, can be kept. */
export function findUnstorableText(sent: {
  query: Readonly<Record<string, unknown>>;
  body: unknown;
}): Problem | null {
  return unsoundIn(sent.query, 'query') ?? unsoundIn(sent.body, 'body');
}

/** `whole` is what the refusal names when it is about no member that has a name to be shown. */
function unsoundIn(sent: unknown, whole: string): Problem | null {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    return hasUnsound(sent) ? unsound(whole) : null;
  }
  for (const [name, value] of Object.entries(sent)) {
    if (!isStorable(name)) return unsound(whole);
    if (hasUnsound(value)) return unsound(name);
  }
  return null;
}

/** Without recursion: what is sent may be nested deeper than the stack goes. */
function hasUnsound(value: unknown): boolean {
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === 'string' && !isStorable(next)) return true;
    if (typeof next !== 'object' || next === null) continue;
    for (const [name, inner] of Object.entries(next)) {
      if (!isStorable(name)) return true;
      left.push(inner);
    }
  }
  return false;
}

function unsound(parameter: string): Problem {
  return problem('invalid-parameter', `${parameter}: holds a NUL or half a character.`, {
    members: { parameter },
  });
}
