import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CallExpression, type Comment, parseSync, Visitor } from 'oxc-parser';
import type { Prose } from './rules.ts';

/** Folders and files whose texts are checked; paths are relative to the repository. */
const CODE = ['service/src', 'service/test', 'dashboard/src', 'dashboard/test', 'sdk', 'examples'];
const MORE_CODE = ['scripts', 'deploy', 'vitest.config.ts'];
const PYTHON = ['clients/python', 'examples'];
const DOCUMENTS = [
  'docs',
  'clients',
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
];
const SKIPPED =
  /(^|\/)(node_modules|dist|fixtures|\.venv)\/|\.gen\.tsx?$|service\/test\/language|afterbell\/(client|models)\.py$/;

/** Properties whose text is shown to people: descriptions of the interface, settings and problems. */
const LABELS: ReadonlySet<string> = new Set(
  'summary description describe sentence help title detail fix problem hint'.split(' '),
);
const LOG_LEVELS: ReadonlySet<string> = new Set(['debug', 'info', 'warn', 'error']);
const TEST_FUNCTIONS: ReadonlySet<string> = new Set(['test', 'it', 'describe']);

/** Every text of the repository that people read. */
export function collectRepository(root: string): Prose[] {
  const prose: Prose[] = [];
  for (const path of filesBelow(root, [...CODE, ...MORE_CODE], /\.(ts|tsx|cjs)$/)) {
    prose.push(...collectCode(path, readFileSync(join(root, path), 'utf8')));
  }
  for (const path of filesBelow(root, PYTHON, /\.py$/)) {
    prose.push(...collectPython(path, readFileSync(join(root, path), 'utf8')));
  }
  for (const path of filesBelow(root, DOCUMENTS, /\.md$/)) {
    prose.push(...collectDocument(path, readFileSync(join(root, path), 'utf8')));
  }
  return prose;
}

/** Comments, test names, labels and log messages of one source file. */
export function collectCode(path: string, code: string): Prose[] {
  const { program, comments, errors } = parseSync(path, code);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const lineAt = lineCounter(code);
  const prose: Prose[] = commentProse(path, code, comments, lineAt);
  const isTest = /\.test\.tsx?$/.test(path);

  new Visitor({
    CallExpression(node) {
      const [first, second] = node.arguments;
      const line = lineAt(node.start);
      if (isTest && TEST_FUNCTIONS.has(rootName(node))) {
        const text = textOf(first);
        if (text !== null) prose.push({ kind: 'test name', path, line, text });
      }
      if (!path.startsWith('service/src') || isTest || !isLogCall(node)) return;
      const message = textOf(second);
      if (message !== null) prose.push({ kind: 'log message', path, line, text: message });
    },
    Property(node) {
      if (isTest || node.computed || node.key.type !== 'Identifier') return;
      if (!LABELS.has(node.key.name)) return;
      const text = textOf(node.value);
      if (text !== null) prose.push({ kind: 'label', path, line: lineAt(node.start), text });
    },
  }).visit(program);
  return prose;
}

/** Comments, docstrings and test names of a Python file. */
export function collectPython(path: string, code: string): Prose[] {
  const lineAt = lineCounter(code);
  return [...code.matchAll(PYTHON_TEXT)].map(({ index, groups = {} }) => {
    const { docstring, comment, test } = groups;
    const line = lineAt(index);
    if (test !== undefined)
      return { kind: 'test name', path, line, text: test.replaceAll('_', ' ') };
    const text = (docstring ?? comment ?? '').replaceAll(/\n *(# ?)?/g, '\n').trim();
    return { kind: 'comment', path, line, text: text.replaceAll(/(?<!\n)\n(?!\n)/g, ' ') };
  });
}

/** A docstring, comment lines that follow each other, or the name of a test function. */
const PYTHON_TEXT =
  /^ *(?:"""(?<docstring>[^]*?)"""|# (?<comment>.*(?:\n *# .*)*)|def test_(?<test>\w+)\()/gm;

/** Paragraphs of a Markdown file, code left out. */
export function collectDocument(path: string, text: string): Prose[] {
  const prose: Prose[] = [];
  let isCode = false;
  text.split('\n').forEach((line, index) => {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    else if (!isCode && line.trim() !== '') {
      prose.push({ kind: 'document', path, line: index + 1, text: line });
    }
  });
  return prose;
}

/** Line comments that follow each other are one text. */
function commentProse(
  path: string,
  code: string,
  comments: readonly Comment[],
  lineAt: (offset: number) => number,
): Prose[] {
  const prose: Prose[] = [];
  let previousEnd = -1;
  for (const { type, value, start, end } of comments) {
    const text = value
      .split('\n')
      .map((line) => line.replace(/^\s*\*+ ?/, '').trimEnd())
      .join('\n')
      .trim();
    if (/^(oxlint|eslint|@ts)-/.test(text)) continue;
    const last = prose.at(-1);
    const isContinued = type === 'Line' && /^\s*$/.test(code.slice(previousEnd, start));
    if (isContinued && last !== undefined && previousEnd >= 0) last.text += ` ${text}`;
    else prose.push({ kind: 'comment', path, line: lineAt(start), text });
    previousEnd = type === 'Line' ? end : -1;
  }
  return prose.map((item) => ({ ...item, text: item.text.replaceAll(/(?<!\n)\n(?!\n)/g, ' ') }));
}

/** `test` of `test.each(rows)('name')`; empty for other calls. */
function rootName(node: CallExpression): string {
  let callee: CallExpression['callee'] = node.callee;
  for (;;) {
    if (callee.type === 'CallExpression') callee = callee.callee;
    else if (callee.type === 'MemberExpression') callee = callee.object;
    else if (callee.type === 'TaggedTemplateExpression') callee = callee.tag;
    else return callee.type === 'Identifier' ? callee.name : '';
  }
}

/** `log.warn(…)`, `deps.log.warn(…)`, `this.#log.warn(…)`. */
function isLogCall({ callee }: CallExpression): boolean {
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return false;
  if (!LOG_LEVELS.has(callee.property.name)) return false;
  const { object } = callee;
  if (object.type === 'Identifier') return object.name === 'log';
  return object.type === 'MemberExpression' && 'name' in object.property
    ? object.property.name === 'log'
    : false;
}

/** The text of a string or template literal, with `…` for its expressions; null for anything else. */
function textOf(node: unknown): string | null {
  if (typeof node !== 'object' || node === null || !('type' in node)) return null;
  if (node.type === 'Literal' && 'value' in node && typeof node.value === 'string') {
    return node.value;
  }
  if (node.type === 'TemplateLiteral' && 'quasis' in node && Array.isArray(node.quasis)) {
    const quasis: readonly { value: { cooked: string } }[] = node.quasis;
    return quasis.map(({ value }) => value.cooked).join('…');
  }
  if (node.type === 'BinaryExpression' && 'left' in node && 'right' in node) {
    const [left, right] = [textOf(node.left), textOf(node.right)];
    return left === null || right === null ? null : left + right;
  }
  return null;
}

function lineCounter(code: string): (offset: number) => number {
  const starts = [...code.matchAll(/\n/g)].map(({ index }) => index);
  return (offset) => starts.filter((start) => start < offset).length + 1;
}

function filesBelow(root: string, paths: readonly string[], pattern: RegExp): string[] {
  return paths
    .flatMap((path) =>
      pattern.test(path)
        ? [path]
        : readdirSync(join(root, path), { recursive: true, encoding: 'utf8' }).map(
            (name) => `${path}/${name.replaceAll('\\', '/')}`,
          ),
    )
    .filter((path) => pattern.test(path) && !SKIPPED.test(path))
    .toSorted();
}
