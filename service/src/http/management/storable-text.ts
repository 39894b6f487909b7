import { problem, type Problem } from '../problems.ts';

/**
 * Returns true if the store can contain the text. PostgreSQL rejects NUL characters and text that
 * is not well-formed Unicode, such as an unpaired surrogate.
 */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/**
 * Returns the problem for the first text or member name that cannot be stored, or null if
 * everything can.
 */
export function findUnstorableText(request: {
  query: Readonly<Record<string, unknown>>;
  body: unknown;
}): Problem | null {
  return checkMembers(request.query, 'query') ?? checkMembers(request.body, 'body');
}

/**
 * Checks a value and its members. `part` identifies the parameter to report if the text is not in a
 * member with a storable name.
 */
function checkMembers(value: unknown, part: string): Problem | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return hasUnstorable(value) ? unstorable(part) : null;
  }
  for (const [name, member] of Object.entries(value)) {
    if (!isStorable(name)) return unstorable(part);
    if (hasUnstorable(member)) return unstorable(name);
  }
  return null;
}

/** Checks iteratively, because the input may be nested deeper than the stack allows. */
function hasUnstorable(value: unknown): boolean {
  const stack = [value];
  while (stack.length > 0) {
    const next = stack.pop();
    if (typeof next === 'string' && !isStorable(next)) return true;
    if (typeof next !== 'object' || next === null) continue;
    for (const [name, member] of Object.entries(next)) {
      if (!isStorable(name)) return true;
      stack.push(member);
    }
  }
  return false;
}

function unstorable(parameter: string): Problem {
  const detail = `${parameter}: must not contain NUL characters or unpaired surrogates.`;
  return problem('invalid-parameter', detail, { members: { parameter } });
}
