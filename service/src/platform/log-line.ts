const COLOURS: Readonly<Record<string, number>> = { debug: 90, info: 36, warn: 33, error: 31 };

/**
 * A line of JSON log as one line for people: time of day, level, message, then the fields. The stack
 * of an error follows on lines of its own. Anything that is not such JSON comes back as it is.
 */
export function formatLogLine(line: string): string {
  const entry = parseObject(line);
  if (entry === null) return line;
  const { level, time, msg, err, ...fields } = entry;
  const label = String(level);
  const colour = COLOURS[label] ?? 0;
  const parts = [
    String(time).slice(11, 19),
    `\u001B[${colour}m${label.padEnd(5)}\u001B[0m`,
    typeof msg === 'string' ? printable(msg) : show(msg),
    ...Object.entries(fields).map(([name, value]) => `\u001B[90m${name}=\u001B[0m${show(value)}`),
  ];
  return `${parts.join(' ')}${showError(err)}\n`;
}

function parseObject(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

function show(value: unknown): string {
  const isPlain = typeof value === 'string' && /^[^\s"=]+$/.test(value);
  return printable(isPlain ? value : (JSON.stringify(value) ?? ''));
}

function showError(err: unknown): string {
  if (typeof err !== 'object' || err === null) return err === undefined ? '' : ` err=${show(err)}`;
  const stack = 'stack' in err ? err.stack : JSON.stringify(err);
  const lines = String(stack).split('\n');
  return lines.map((line) => `\n    ${printable(line)}`).join('');
}

/** Text of strangers must not steer the terminal: control characters become visible. */
function printable(text: string): string {
  return text.replace(/[\u0000-\u001F\u007F-\u009F]/g, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
}
