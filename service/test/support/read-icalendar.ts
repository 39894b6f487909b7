/** A content line such as `DTSTART;VALUE=DATE:20261120`. The value is still escaped. */
export interface ContentLine {
  name: string;
  parameters: Record<string, string>;
  value: string;
}

export interface Component {
  name: string;
  lines: ContentLine[];
  parts: Component[];
}

/**
 * Parses iCalendar strictly. Written from RFC 5545 and independently of the writer. Throws on a
 * bare CR or LF, a line over 75 octets, invalid UTF-8 or an unknown escape.
 */
export function readICalendar(bytes: Uint8Array): Component {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  if (!text.endsWith('\r\n')) throw new Error('the last line is not terminated');
  const foldedLines = text.slice(0, -2).split('\r\n');
  for (const line of foldedLines) {
    if (/[\r\n]/.test(line)) throw new Error(`bare CR or LF in ${JSON.stringify(line)}`);
    if (Buffer.byteLength(line) > 75) throw new Error(`line over 75 octets: ${line}`);
    if (/[\u0000-\u0008\u000a-\u001f\u007f]/.test(line)) throw new Error('control character');
  }
  const unfoldedLines: string[] = [];
  for (const line of foldedLines) {
    if (line.startsWith(' ')) unfoldedLines.push(`${unfoldedLines.pop() ?? ''}${line.slice(1)}`);
    else unfoldedLines.push(line);
  }
  return readComponents(unfoldedLines.map(readLine));
}

/** Returns the values of all properties with this name. */
export function valuesIn(component: Component, name: string): string[] {
  return component.lines.filter((line) => line.name === name).map((line) => line.value);
}

/** Unescapes a TEXT value. Throws if the value violates the grammar. */
export function readText(value: string): string {
  let result = '';
  for (let i = 0; i < value.length; i++) {
    const character = value[i] ?? '';
    if (character === ';' || character === ',') throw new Error(`unescaped separator in ${value}`);
    if (character !== '\\') {
      result += character;
      continue;
    }
    i += 1;
    const next = value[i] ?? '';
    if (next === 'n' || next === 'N') result += '\n';
    else if (next === '\\' || next === ';' || next === ',') result += next;
    else throw new Error(`unknown escape in ${value}`);
  }
  return result;
}

function readLine(line: string): ContentLine {
  const match = /^([A-Z-]+)((?:;[A-Z-]+=[^";:,]+)*):(.*)$/.exec(line);
  if (match === null) throw new Error(`invalid content line: ${line}`);
  const [, name = '', list = '', value = ''] = match;
  const pairs = list.split(';').slice(1);
  const parameters = Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]));
  return { name, parameters, value };
}

function readComponents(lines: readonly ContentLine[]): Component {
  const open: Component[] = [];
  let whole: Component | null = null;
  for (const line of lines) {
    const current = open.at(-1);
    if (line.name === 'BEGIN') {
      const component = { name: line.value, lines: [], parts: [] };
      current?.parts.push(component);
      open.push(component);
    } else if (line.name === 'END') {
      if (current?.name !== line.value) throw new Error(`END:${line.value} without BEGIN`);
      open.pop();
      if (open.length === 0) whole = current;
    } else {
      if (current === undefined) throw new Error('line outside a component');
      current.lines.push(line);
    }
  }
  if (whole === null || open.length > 0) throw new Error('component without END');
  return whole;
}
