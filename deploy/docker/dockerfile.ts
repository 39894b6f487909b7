/** A stage of a Dockerfile, starting with FROM. */
export interface Stage {
  /** The name after AS; null if the stage has none. */
  name: string | null;
  base: string;
  /** In order, without FROM. */
  instructions: readonly Instruction[];
}

export interface Instruction {
  /** In capitals: RUN, COPY and so on. */
  keyword: string;
  /** The arguments, joined into one line. */
  rest: string;
}

/**
 * Parses the parts of the Dockerfile syntax that our file uses. Throws on a line before the first
 * FROM.
 */
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

/** Removes comments and empty lines, and joins lines that end in a backslash. */
function wholeLines(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !/^\s*#/.test(line));
  return lines
    .join('\n')
    .replaceAll(/\s*\\\n\s*/g, ' ')
    .split('\n');
}

/** Sources and target of a COPY instruction. */
export interface Copy {
  /** Name of a stage; null for the repository. */
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

/** Parses `NAME=value NAME="another value"`. Values with spaces are in double quotes. */
export function parseEnv(rest: string): Record<string, string> {
  const matches = [...rest.matchAll(/(\w+)=("[^"]*"|\S+)/g)];
  return Object.fromEntries(matches.map(([, name = '', value = '']) => [name, unquoted(value)]));
}

function unquoted(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1) : value;
}

/** Parses a command in list form, which runs without a shell. Throws on the shell form. */
export function parseCommand(rest: string): string[] {
  const list: unknown = JSON.parse(rest.slice(rest.indexOf('[')));
  if (!Array.isArray(list)) throw new Error(`not a list: ${rest}`);
  return list.map(String);
}
