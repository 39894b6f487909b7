import type { Random } from '../../src/platform/random.ts';

/** Corrupts a body in one to three ways, one after another. */
export function corrupt(random: Random, text: string, others: readonly string[]): string {
  let body = text;
  for (let times = 1 + random.int(3); times > 0; times -= 1) {
    body =
      isJson(body) && random.int(12) > 0
        ? corruptJson(random, body)
        : corruptText(random, body, others);
  }
  return body;
}

/** JSON values that break parsers: not a number, not a date, unstorable, too long or too deep. */
const BAD_VALUES: readonly string[] = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '-1',
  '7.5',
  '1e999',
  '-1e308',
  '1e-320',
  '[]',
  '{}',
  '9007199254740993',
  '""',
  '" "',
  '"N/A"',
  '"--"',
  '"NaN"',
  '"Infinity"',
  '"-$--5"',
  '"0000-01-01"',
  '"0000-00-00"',
  '"9999-12-31"',
  '"2026-02-30"',
  '"+010000-01-01"',
  '"12/31/9999"',
  '"00/00/0000"',
  '"Dec/0000"',
  '"1970-01-01T00:00:00Z"',
  '253402300799',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udfff\\ud800"',
  '"\\ufeff"',
  '"\\ufffe"',
  '"\\u202e\\u0007"',
  '"=1+1"',
  '"<script>"',
  '"constructor"',
  '"١٢"',
  '"１２"',
  '{"__proto__":{"rows":[]}}',
  '{"toString":1}',
  '[[[[1]]]]',
  '[null]',
  '[{}]',
  `"${'9'.repeat(400)}"`,
  `"${'x'.repeat(70_000)}"`,
  `${'['.repeat(50)}${']'.repeat(50)}`,
];

/** Texts that are not valid JSON. */
const BAD_TEXTS: readonly string[] = [
  'NaN',
  '﻿',
  '\0',
  '\ud800',
  '￾',
  '<!DOCTYPE html><html>',
  ',',
  '"',
  "'",
  '\\',
  '\r\n',
  '\n\n',
  ';',
  '	',
  '{',
  '}',
  '[',
  ']',
  '&#0;',
  '&amp;amp;lt;',
  '%00',
  '\u2028',
  '['.repeat(3e3),
  '{"a":'.repeat(1e3),
  '9'.repeat(500),
  '0000-00-00',
  '9999-12-31',
];

function corruptText(random: Random, text: string, others: readonly string[]): string {
  const offset = random.int(text.length + 1);
  const length = random.int(Math.min(text.length - offset, 300) + 1);
  const [before, after] = [text.slice(0, offset), text.slice(offset)];
  switch (random.int(8)) {
    case 0:
      return before;
    case 1:
      return before + text.slice(offset + length);
    case 2:
      return text.slice(0, offset + length) + after;
    case 3:
      return before + pick(random, BAD_TEXTS) + after;
    case 4: {
      const other = pick(random, others);
      return before + other.slice(random.int(other.length + 1));
    }
    case 5:
      return replaceCell(random, text);
    case 6:
      return `${before}${String.fromCharCode(random.int(0x1_0000))}${text.slice(offset + 1)}`;
    default:
      return moveLine(random, text);
  }
}

function replaceCell(random: Random, text: string): string {
  const cells = [...text.matchAll(/[^,\r\n"]+/g)];
  const cell = cells[random.int(cells.length + 1)];
  if (cell === undefined) return text;
  const bit =
    random.int(2) === 0 ? pick(random, BAD_TEXTS) : pick(random, BAD_VALUES).replaceAll('"', '');
  return text.slice(0, cell.index) + bit + text.slice(cell.index + cell[0].length);
}

function moveLine(random: Random, text: string): string {
  const lines = text.split('\n');
  const [line = ''] = lines.splice(random.int(lines.length), 1);
  lines.splice(
    random.int(lines.length + 1),
    0,
    ...Array.from({ length: random.int(3) }, () => line),
  );
  return lines.join('\n');
}

/** A writable member of a document. */
interface Member {
  parent: Record<string, unknown> | unknown[];
  key: string;
}

/** Replaces, removes, duplicates, renames or moves one member. The text remains valid JSON. */
function corruptJson(random: Random, text: string): string {
  const replacements: string[] = [];
  const tree: unknown = JSON.parse(text);
  const members = membersIn(tree);
  const member = members[random.int(members.length + 1)];
  if (member === undefined) return pick(random, BAD_VALUES);
  const { parent, key } = member;
  const value = parent[key as keyof typeof parent];
  switch (random.int(9)) {
    case 0:
      if (Array.isArray(parent)) parent.splice(Number(key), 1);
      else delete parent[key];
      break;
    case 1:
      if (Array.isArray(parent)) parent.push(structuredClone(value));
      else parent[`${key} `] = value;
      break;
    case 2: {
      const other = pick(random, members);
      setMember(member, structuredClone(other.parent[other.key as keyof typeof other.parent]));
      break;
    }
    case 3:
      setMember(member, typeof value === 'number' ? String(value) : [value]);
      break;
    default:
      // Some of these values, such as 1e999, do not survive JSON.stringify, so they replace a
      // placeholder in the text.
      replacements.push(pick(random, BAD_VALUES));
      setMember(member, PLACEHOLDER);
  }
  return JSON.stringify(tree).replaceAll(`"${PLACEHOLDER}"`, () => replacements[0] ?? 'null');
}

const PLACEHOLDER = '~here~';

function setMember({ parent, key }: Member, value: unknown): void {
  if (Array.isArray(parent)) parent[Number(key)] = value;
  else parent[key] = value;
}

function membersIn(tree: unknown): Member[] {
  const members: Member[] = [];
  const pending: unknown[] = [tree];
  for (let parent = pending.pop(); parent !== undefined; parent = pending.pop()) {
    if (typeof parent !== 'object' || parent === null) continue;
    for (const [key, value] of Object.entries(parent)) {
      members.push({ parent: parent as Member['parent'], key });
      if (typeof value === 'object' && value !== null) pending.push(value);
    }
  }
  return members;
}

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[random.int(list.length)] as T;
}
