import { localDate } from '../../src/domain/local-date.ts';
import type { Values } from '../../src/endpoints/endpoint.ts';

type Parameters = Readonly<Record<string, string | number | boolean | readonly string[] | null>>;

/** Returns validated endpoint parameters. Missing parameters are null. */
export function parameterValues(parameters: Parameters): Values {
  function text(name: string): string {
    const value = parameters[name];
    if (typeof value === 'string') return value;
    throw new TypeError(`${name} is not a text`);
  }
  function textOrNull(name: string): string | null {
    return (parameters[name] ?? null) === null ? null : text(name);
  }
  function numberOrNull(name: string): number | null {
    const value = parameters[name] ?? null;
    if (value === null || typeof value === 'number') return value;
    throw new TypeError(`${name} is not a number`);
  }
  return {
    date: (name) => localDate(text(name)),
    maybeDate: (name) => (textOrNull(name) === null ? null : localDate(text(name))),
    symbol: text,
    symbols(name) {
      const value = parameters[name] ?? null;
      if (value === null || Array.isArray(value)) return value as readonly string[] | null;
      throw new TypeError(`${name} is not a list of symbols`);
    },
    instant: numberOrNull,
    id: text,
    flag: (name) => parameters[name] === true,
    maybeFlag(name) {
      const value = parameters[name] ?? null;
      if (value === null || typeof value === 'boolean') return value;
      throw new TypeError(`${name} is not a flag`);
    },
    text: textOrNull,
    choice: textOrNull,
    integer: numberOrNull,
    decimal: textOrNull,
  };
}
