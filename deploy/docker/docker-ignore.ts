/**
 * Whether a path of the repository, with `/` between its parts, goes to the build: the last line that
 * fits it, or a folder it is in, decides.
 */
export function readDockerIgnore(text: string): (path: string) => boolean {
  const rules = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const isTaken = line.startsWith('!');
      return { isTaken, shape: shapeOf(isTaken ? line.slice(1) : line) };
    });
  return (path) => {
    const fitting = rules.findLast(({ shape }) => shape.test(path));
    return fitting === undefined || fitting.isTaken;
  };
}

/** `**` stands for any folders, `*` for any part of a name, one that begins with a dot too. */
function shapeOf(pattern: string): RegExp {
  const parts = pattern.split(/(\*\*\/|\*)/).map((part) => {
    if (part === '**/') return '(?:.*/)?';
    return part === '*' ? '[^/]*' : part.replaceAll(/[^\w/-]/g, String.raw`\$&`);
  });
  return new RegExp(`^${parts.join('')}(?:/|$)`);
}
