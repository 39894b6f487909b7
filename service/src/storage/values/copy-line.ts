/** Renders one row in COPY's text format, including the line ending. Null is `\N`. */
export function copyLine(values: readonly (string | number | null)[]): string {
  return `${values.map(write).join('\t')}\n`;
}

const SPECIAL = /[\\\t\n\r]/g;
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': String.raw`\\`,
  '\t': String.raw`\t`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
};

/** Escapes text for COPY's text format. */
export function escapeCopied(text: string): string {
  return text.replace(SPECIAL, (char) => ESCAPES[char] ?? char);
}

function write(value: string | number | null): string {
  if (value === null) return String.raw`\N`;
  return typeof value === 'number' ? String(value) : escapeCopied(value);
}
