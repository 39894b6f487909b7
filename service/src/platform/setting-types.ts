import { resolve } from 'node:path';
import { type Instant, parseInstant } from './instant.ts';

/** Parses and describes one type of setting. */
export interface SettingType<T> {
  /** Completes the sentence "must be …", in messages and in the documentation. */
  describe: string;
  /** A valid value, suggested in place of an invalid one. */
  example: string;
  /** Returns null for invalid text. Relative paths start in `folder`. Never called with ''. */
  parse(text: string, folder: string): { value: T } | null;
  /** The part of an invalid value that messages may repeat. Default: all of it. */
  show?(text: string): string;
  /**
   * Derives a valid value from an invalid one, suggested instead of the example; null if none is
   * found.
   */
  correct?(text: string): string | null;
}

export function text(describe = 'text', example = 'Example'): SettingType<string> {
  return { describe, example, parse: (value) => ({ value }) };
}

/** Text that must pass a check and is kept unchanged. */
export function checkedText(
  describe: string,
  example: string,
  isValid: (text: string) => boolean,
): SettingType<string> {
  return type(describe, example, (value) => (isValid(value) ? { value } : null));
}

export function integer(options: { min: number; max: number; example: string }) {
  const { min, max, example } = options;
  return type(`a whole number from ${min} to ${max}`, example, (input) => {
    const value = Number(input);
    return /^-?\d{1,15}$/.test(input) && value >= min && value <= max ? { value } : null;
  });
}

/** A number without exponent, at least `min`. The value is its text. */
export function decimal(options: { min: number; example: string }): SettingType<string> {
  const { min, example } = options;
  return type(`a number of at least ${min}, such as ${example}`, example, (input) => {
    return /^\d{1,15}(\.\d{1,6})?$/.test(input) && Number(input) >= min ? { value: input } : null;
  });
}

export function choice<const T extends string>(options: readonly T[]): SettingType<T> {
  return type(`one of ${options.join(', ')}`, options[0] ?? '', (input) => {
    const value = options.find((option) => option === input.toLowerCase());
    return value === undefined ? null : { value };
  });
}

export function yesOrNo(): SettingType<boolean> {
  return type('true or false', 'true', (input) => {
    const word = input.toLowerCase();
    return word === 'true' || word === 'false' ? { value: word === 'true' } : null;
  });
}

/** Comma-separated. Trims the items and drops empty and repeated ones. */
export function list(
  describe: string,
  example: string,
  isValid: (item: string) => boolean = () => true,
): SettingType<readonly string[]> {
  return type(describe, example, (input) => {
    const items = input.split(',').map((item) => item.trim());
    const value = [...new Set(items.filter((item) => item !== ''))];
    return value.every(isValid) ? { value } : null;
  });
}

/** An absolute path. Relative paths start in the working directory of the command. */
export function path(example: string): SettingType<string> {
  return type('a path', example, (input, folder) =>
    input.includes('\0') ? null : { value: resolve(folder, input) },
  );
}

export function instant(example: string): SettingType<Instant> {
  return type('an instant as in RFC 3339, with Z or an offset', example, (input) => {
    const value = parseInstant(input);
    return value === null ? null : { value };
  });
}

/** A URL with one of the given schemes. The value has no trailing slash. */
export function url(schemes: readonly string[], example: string): SettingType<string> {
  const describe = `a URL that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`;
  return type(describe, example, (input) => {
    if (!URL.canParse(input)) return null;
    const { protocol, host } = new URL(input);
    const isValid = host !== '' && schemes.includes(protocol.slice(0, -1));
    return isValid ? { value: input.replace(/\/+$/, '') } : null;
  });
}

/**
 * The public address of a site: an http or https URL without password and path, because links in
 * responses begin at the root. The value has no trailing slash.
 */
export function siteUrl(example: string): SettingType<string> {
  return {
    describe:
      'a URL that starts with http:// or https://, without user, password, path, query or fragment',
    example,
    parse(input) {
      const isBare = !/[@?#]/.test(input) && URL.canParse(input) && new URL(input).pathname === '/';
      const value = isBare ? originOf(input) : null;
      return value === null ? null : { value };
    },
    show: (input) => input.replace(/^.*@/s, '***@').replace(/([?#]).*/s, '$1***'),
    correct: originOf,
  };
}

/** Scheme, host and port; null if they are ambiguous. */
function originOf(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, origin, pathname, search, hash } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  // A password that contains a slash, ? or # ends the host early, and its @ comes later.
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
