export interface EnvLine {
  lineNumber: number;
  name: string;
  value: string;
}

/**
 * Reads a file of `NAME=value` lines. Blank lines and lines that start with `#` are skipped, an
 * `export ` in front is allowed, and a value may stand in single or double quotes, which are taken
 * off. Nothing is expanded and `#` inside a value stays: a key may well hold one. Lines that are
 * none of this come back by number in `badLines`.
 */
export function parseEnvFile(content: string): { lines: EnvLine[]; badLines: number[] } {
  const lines: EnvLine[] = [];
  const badLines: number[] = [];
  for (const [index, raw] of content
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const match = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/.exec(line);
    const [, name, value] = match ?? [];
    if (name === undefined || value === undefined) badLines.push(index + 1);
    else lines.push({ lineNumber: index + 1, name, value: unquote(value) });
  }
  return { lines, badLines };
}

function unquote(value: string): string {
  const match = /^(["'])(.*)\1$/.exec(value);
  return match?.[2] ?? value;
}
