export interface EnvLine {
  lineNumber: number;
  name: string;
  value: string;
}

/**
 * Parses a file of `NAME=value` lines. Skips blank lines and lines that start with `#`, allows a
 * leading `export `, and strips single or double quotes around a value. Expands nothing and keeps
 * `#` inside a value, because a key may contain one. Returns the numbers of invalid lines in
 * `invalidLines`.
 */
export function parseEnvFile(content: string): { lines: EnvLine[]; invalidLines: number[] } {
  const lines: EnvLine[] = [];
  const invalidLines: number[] = [];
  for (const [index, raw] of content
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const match = /^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/.exec(line);
    const [, name, value] = match ?? [];
    if (name === undefined || value === undefined) invalidLines.push(index + 1);
    else lines.push({ lineNumber: index + 1, name, value: unquote(value) });
  }
  return { lines, invalidLines };
}

function unquote(value: string): string {
  const match = /^(["'])(.*)\1$/.exec(value);
  return match?.[2] ?? value;
}
