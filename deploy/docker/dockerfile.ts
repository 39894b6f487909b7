/** One part of a Dockerfile that begins with FROM. */
export interface Stage {
  /** What it is called after AS; null when it has no name. */
  name: string | null;
  base: string;
  /** In their order, FROM left out. */
  instructions: readonly Instruction[];
}

export interface Instruction {
  /** In capitals: RUN, COPY and so on. */
  keyword: string;
  /** What follows, on one line. */
  rest: string;
}

/** Reads as much of the language as our own file uses; throws on a line before the first FROM. */
export function parseDockerfile(text: string): Stage[] {
  const stages: (Stage & { instructions: Instruction[] })[] = [];
  for (const line of wholeLines(text)) {
    const [, word = '', rest = ''] = /^(\S+)\s+(.*)$/s.exec(line) ?? [];
    const keyword = word.toUpperCase();
    if (keyword === 'FROM') {
      const [base = '', , name = null] = rest.split(/\s+/);
      stages.push({ name, base, instructions: [] });
      continue;
    }
    const stage = stages.at(-1);
    if (stage === undefined) throw new Error(`before the first FROM: ${line}`);
    stage.instructions.push({ keyword, rest });
  }
  return stages;
}

/** Without remarks and empty lines, and with those joined that end in a backslash. */
function wholeLines(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !/^\s*#/.test(line));
  return lines
    .join('\n')
    .replaceAll(/\s*\\\n\s*/g, ' ')
    .split('\n');
}

/** What COPY copies, from where, to where. */
export interface Copy {
  /** A stage; null is the repository. */
  from: string | null;
  sources: readonly string[];
  to: string;
}

export function parseCopy(rest: string): Copy {
  const words = rest.split(/\s+/);
  const from = words[0]?.startsWith('--from=') === true ? words.shift()?.slice(7) : null;
  const to = words.pop();
  if (to === undefined || words.length === 0) throw new Error(`COPY what, where: ${rest}`);
  return { from: from ?? null, sources: words, to };
}

/** `NAME=value NAME="another value"`; values with a space stand in double quotes. */
export function parseEnv(rest: string): Record<string, string> {
  const found = [...rest.matchAll(/(\w+)=("[^"]*"|\S+)/g)];
  return Object.fromEntries(found.map(([, name = '', value = '']) => [name, unquoted(value)]));
}

function unquoted(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1) : value;
}

/** The command in the form of a list, which no shell stands in front of; throws on the other. */
export function parseCommand(rest: string): string[] {
  const list: unknown = JSON.parse(rest.slice(rest.indexOf('[')));
  if (!Array.isArray(list)) throw new Error(`not a list: ${rest}`);
  return list.map(String);
}
