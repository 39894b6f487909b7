const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Indents JSON without parsing and reserializing its values, which would change large numbers and
 * drop duplicate keys. Returns null unless the text is an object or array.
 */
export function indentJson(text: string): string | null {
  if (!/^\s*[[{]/.test(text) || !isJson(text)) return null;
  const tokens = text.match(TOKENS) ?? [];
  let depth = 0;
  return tokens.reduce((written, token, index) => {
    const isOpened = isOpening(tokens[index - 1]);
    if (isClosing(token)) {
      depth -= 1;
      return isOpened ? written + token : `${written}\n${'  '.repeat(depth)}${token}`;
    }
    const begins = isOpened || tokens[index - 1] === ',' ? `\n${'  '.repeat(depth)}` : '';
    if (isOpening(token)) depth += 1;
    return `${written}${begins}${token}${token === ':' ? ' ' : ''}`;
  }, '');
}

function isOpening(token: string | undefined): boolean {
  return token === '{' || token === '[';
}

function isClosing(token: string): boolean {
  return token === '}' || token === ']';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
