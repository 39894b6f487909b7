/** A `VEVENT` of a calendar: its properties by name, unescaped, with parameters by name. */
export type IcsEvent = ReadonlyMap<string, IcsProperty>;

export interface IcsProperty {
  value: string;
  parameters: ReadonlyMap<string, string>;
}

const LINE = /^([A-Za-z0-9-]+)((?:;[A-Za-z0-9-]+=(?:"[^"]*"|[^";:]*))*):(.*)$/s;
const PARAMETER = /;([A-Za-z0-9-]+)=("[^"]*"|[^";:]*)/g;

/**
 * The events of an iCalendar text (RFC 5545), with folded lines joined and escapes decoded. Other
 * components and invalid lines are skipped. Null if the calendar is incomplete.
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

/** A line that begins with a space or tab continues the previous one. */
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
