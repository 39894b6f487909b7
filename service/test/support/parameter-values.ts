import { localDate } from '../../src/domain/local-date.ts';
import type { Values } from '../../src/endpoints/endpoint.ts';

type Given = Readonly<Record<string, string | number | boolean | readonly string[] | null>>;

/** Validated endpoint parameters. Missing ones are null. */
export function givenValues(given: Given): Values {
  function text(name: string): string {
    const value = given[name];
    if (typeof value === 'string') return value;
    throw new TypeError(`${name} is not a text`);
  }
  function textOrNull(name: string): string | null {
    return (given[name] ?? null) === null ? null : text(name);
  }
  function numberOrNull(name: string): number | null {
    const value = given[name] ?? null;
    if (value === null || typeof value === 'number') return value;
    throw new TypeError(`${name} is not a number`);
  }
  return {
    date: (name) => localDate(text(name)),
    maybeDate: (name) => (textOrNull(name) === null ? null : localDate(text(name))),
    symbol: text,
    symbols(name) {
      const value = given[name] ?? null;
      if (value === null || Array.isArray(value)) return value as readonly string[] | null;
      throw new TypeError(`${name} is not a list of symbols`);
    },
    instant: numberOrNull,
    id: text,
    flag: (name) => given[name] === true,
    choice: textOrNull,
    integer: numberOrNull,
    decimal: textOrNull,
  };
}
