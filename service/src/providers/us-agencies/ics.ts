/**
 * A `VEVENT` in a calendar: a map from property name to the unescaped property, which has its
 * parameters by name.
 */
export type IcsEvent = ReadonlyMap<string, IcsProperty>;

export interface IcsProperty {
  value: string;
  parameters: ReadonlyMap<string, string>;
}

const LINE = /^([A-Za-z0-9-]+)((?:;[A-Za-z0-9-]+=(?:"[^"]*"|[^";:]*))*):(.*)$/s;
const PARAMETER = /;([A-Za-z0-9-]+)=("[^"]*"|[^";:]*)/g;

/**
 * Parses the events in iCalendar text (RFC 5545), joining folded lines and decoding escapes. Other
 * components and invalid lines are skipped. Returns null if the calendar is incomplete.
 */
export function parseIcs(text: string): IcsEvent[] | null {
  const lines = unfold(text);
  if (lines[0]?.toUpperCase() !== 'BEGIN:VCALENDAR') return null;
  if (lines.at(-1)?.toUpperCase() !== 'END:VCALENDAR') return null;
  const events: IcsEvent[] = [];
  let open: Map<string, IcsProperty> | null = null;
  for (const line of lines) {
    const word = line.toUpperCase();
    if (word === 'BEGIN:VEVENT') {
      open = new Map();
    } else if (word === 'END:VEVENT') {
      if (open !== null) events.push(open);
      open = null;
    } else if (open !== null) {
      const property = LINE.exec(line);
      const name = property?.[1]?.toUpperCase();
      if (property === null || name === undefined || open.has(name)) continue;
      open.set(name, {
        value: unescape(property[3] ?? ''),
        parameters: parametersOf(property[2] ?? ''),
      });
    }
  }
  return open === null ? events : null;
}

/** Joins folded lines: a line that begins with a space or tab continues the previous line. */
function unfold(text: string): string[] {
  return text
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
}

function unescape(value: string): string {
  return value.replaceAll(/\\([\\;,nN])/g, (_, mark: string) =>
    mark.toLowerCase() === 'n' ? '\n' : mark,
  );
}

function parametersOf(text: string): Map<string, string> {
  const match = new Map<string, string>();
  for (const [, name = '', value = ''] of text.matchAll(PARAMETER)) {
    match.set(name.toUpperCase(), value.replaceAll('"', ''));
  }
  return match;
}
