import { resolve } from 'node:path';
import { type Instant, parseInstant } from './instant.ts';

/** Parses and describes one type of setting. */
export interface SettingType<T> {
  /** Completes the sentence "must be …" in messages and in the documentation. */
  describe: string;
  /** A valid value to suggest instead of an invalid one. */
  example: string;
  /**
   * Returns the value, or null for invalid text. Relative paths are resolved against `folder`.
   * Never called with an empty string.
   */
  parse(text: string, folder: string): { value: T } | null;
  /** Returns the part of an invalid value that messages may repeat. Default: the whole value. */
  show?(text: string): string;
  /**
   * Derives a valid value from an invalid one, to suggest instead of the example. Returns null if
   * there is none.
   */
  correct?(text: string): string | null;
}

export function text(describe = 'text', example = 'Example'): SettingType<string> {
  return { describe, example, parse: (value) => ({ value }) };
}

/** Creates a setting whose text must pass a check and is kept unchanged. */
export function checkedText(
  describe: string,
  example: string,
  isValid: (text: string) => boolean,
): SettingType<string> {
  return type(describe, example, (value) => (isValid(value) ? { value } : null));
}

/** Creates a setting for a contact as RFC 9116 defines it: an e-mail address, a page or a number. */
export function contactUri(example: string): SettingType<string> {
  return checkedText('an address that starts with mailto:, https:// or tel:+', example, (value) =>
    /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+[\d-]+)$/.test(value),
  );
}

export function integer(options: { min: number; max: number; example: string }) {
  const { min, max, example } = options;
  return type(`a whole number from ${min} to ${max}`, example, (input) => {
    const value = Number(input);
    return /^-?\d{1,15}$/.test(input) && value >= min && value <= max ? { value } : null;
  });
}

/**
 * Creates a setting for a number of at least `min`, written without an exponent. The value is the
 * number's text.
 */
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

/**
 * Creates a setting for a comma-separated list. Trims the items and drops empty and repeated ones.
 */
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

/**
 * Creates a setting for an absolute path. Relative paths are resolved against the command's working
 * directory.
 */
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

/** Creates a setting for a URL with one of the given schemes. The value has no trailing slash. */
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
 * Creates a setting for a site's public address: an http or https URL without a password or path,
 * because links in responses begin at the root. The value has no trailing slash.
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

/** Returns the scheme, host and port of a URL, or null if they are ambiguous. */
function originOf(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, origin, pathname, search, hash } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  // If a password contains a slash, ? or #, the URL parser ends the host early, and the @ is in the
  // path, query or fragment.
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
