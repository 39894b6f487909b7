/**
 * Returns a filter for repository paths, with `/` as the separator. The last line that matches the
 * path or one of its parent folders is decisive.
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

/**
 * Converts a pattern: `**` matches any number of folders, and `*` matches any part of a name,
 * including names that begin with a dot.
 */
function shapeOf(pattern: string): RegExp {
  const parts = pattern.split(/(\*\*\/|\*)/).map((part) => {
    if (part === '**/') return '(?:.*/)?';
    return part === '*' ? '[^/]*' : part.replaceAll(/[^\w/-]/g, String.raw`\$&`);
  });
  return new RegExp(`^${parts.join('')}(?:/|$)`);
}
