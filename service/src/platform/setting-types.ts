import { resolve } from 'node:path';
import { type Instant, parseInstant } from './instant.ts';

/** How the text of a setting becomes a value, and what is said when it does not. */
export interface SettingType<T> {
  /** Completes the sentence "must be …"; shown in the documentation too. */
  describe: string;
  /** A good value, shown as the mend of a bad one. */
  example: string;
  /** Null when the text is bad. `folder` is where relative paths start. Never called with ''. */
  parse(text: string, folder: string): { value: T } | null;
  /** As much of a bad value as may be repeated; all of it when absent. */
  show?(text: string): string;
  /** A good value made of a bad one, shown in place of the example; null when there is none. */
  correct?(text: string): string | null;
}

export function text(describe = 'text', example = 'Example'): SettingType<string> {
  return { describe, example, parse: (value) => ({ value }) };
}

/** Text that is taken as it is, once it is found good. */
export function checkedText(
  describe: string,
  example: string,
  isGood: (text: string) => boolean,
): SettingType<string> {
  return type(describe, example, (value) => (isGood(value) ? { value } : null));
}

export function integer(options: { min: number; max: number; example: string }) {
  const { min, max, example } = options;
  return type(`a whole number from ${min} to ${max}`, example, (given) => {
    const value = Number(given);
    return /^-?\d{1,15}$/.test(given) && value >= min && value <= max ? { value } : null;
  });
}

/** A number without exponent, of at least `min`; the value is its text. */
export function decimal(options: { min: number; example: string }): SettingType<string> {
  const { min, example } = options;
  return type(`a number of at least ${min}, such as ${example}`, example, (given) => {
    return /^\d{1,15}(\.\d{1,6})?$/.test(given) && Number(given) >= min ? { value: given } : null;
  });
}

export function choice<const T extends string>(options: readonly T[]): SettingType<T> {
  return type(`one of ${options.join(', ')}`, options[0] ?? '', (given) => {
    const value = options.find((option) => option === given.toLowerCase());
    return value === undefined ? null : { value };
  });
}

export function yesOrNo(): SettingType<boolean> {
  return type('true or false', 'true', (given) => {
    const word = given.toLowerCase();
    return word === 'true' || word === 'false' ? { value: word === 'true' } : null;
  });
}

/** Comma-separated; blanks around items and empty items are dropped, repeats too. */
export function list(
  describe: string,
  example: string,
  isGood: (item: string) => boolean = () => true,
): SettingType<readonly string[]> {
  return type(describe, example, (given) => {
    const items = given.split(',').map((item) => item.trim());
    const value = [...new Set(items.filter((item) => item !== ''))];
    return value.every(isGood) ? { value } : null;
  });
}

/** An absolute path; relative ones start in the folder in which the command was typed. */
export function path(example: string): SettingType<string> {
  return type('a path', example, (given, folder) =>
    given.includes('\0') ? null : { value: resolve(folder, given) },
  );
}

export function instant(example: string): SettingType<Instant> {
  return type('an instant as in RFC 3339, with Z or an offset', example, (given) => {
    const value = parseInstant(given);
    return value === null ? null : { value };
  });
}

/** A URL of one of the given schemes; the value has no slash at its end. */
export function url(schemes: readonly string[], example: string): SettingType<string> {
  const describe = `a URL that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`;
  return type(describe, example, (given) => {
    if (!URL.canParse(given)) return null;
    const { protocol, host } = new URL(given);
    const isGood = host !== '' && schemes.includes(protocol.slice(0, -1));
    return isGood ? { value: given.replace(/\/+$/, '') } : null;
  });
}

/**
 * Where a site stands, as everybody may read it: a URL of http or https that carries nobody's
 * password and no path, since what answers link to begins at the root. The value has no slash at its end.
 */
export function siteUrl(example: string): SettingType<string> {
  return {
    describe:
      'a URL that starts with http:// or https://, without user, password, path, query or fragment',
    example,
    parse(given) {
      const isBare = !/[@?#]/.test(given) && URL.canParse(given) && new URL(given).pathname === '/';
      const value = isBare ? originOf(given) : null;
      return value === null ? null : { value };
    },
    show: (given) => given.replace(/^.*@/s, '***@').replace(/([?#]).*/s, '$1***'),
    correct: originOf,
  };
}

/** Scheme, host and port; null when they are not told for sure. */
function originOf(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, origin, pathname, search, hash } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  // A password with a slash, ? or # in it ends the host early, and its @ stands further on.
  if (`${pathname}${search}${hash}`.includes('@')) return null;
  return origin;
}

function type<T>(
  describe: string,
  example: string,
  parse: SettingType<T>['parse'],
): SettingType<T> {
  return { describe, example, parse };
}
