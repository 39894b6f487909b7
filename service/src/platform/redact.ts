const HIDDEN = '[redacted]';

/**
 * Redacts keys, secrets and passwords. It covers query parameters and JSON fields that contain
 * keys, API keys and webhook secrets recognized by their format, and credentials in headers and
 * URLs. Redacted JSON is still valid JSON.
 */
export function redact(text: string): string {
  return RULES.reduce(
    (redacted, [pattern, replacement]) => redacted.replace(pattern, replacement),
    text,
  );
}

/**
 * Returns a function like `redact` that also redacts the given values wherever they occur. Ignores
 * values with fewer than six characters.
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const values = [...new Set(secrets.flatMap((value) => [value, encodeURIComponent(value)]))]
    .filter((value) => value.length >= 6)
    .toSorted((a, b) => b.length - a.length);
  return (text) =>
    redact(values.reduce((redacted, value) => redacted.replaceAll(value, HIDDEN), text));
}

/** Matches a quote, which may be escaped several times inside a JSON string. */
const QUOTE = String.raw`\\*"`;
const KEY_NAMES = 'api[-_]?key|access[-_]?key|x-api-key|token|password|secret';
const HEADER_NAMES = 'authorization|proxy-authorization|cookie|set-cookie';

const RULES: readonly (readonly [RegExp, string])[] = [
  [/\beds_(live|test)_[\w-]*/g, `eds_$1_${HIDDEN}`],
  [/\bwhsec_[\w+/=-]*/g, `whsec_${HIDDEN}`],
  [/(:\/\/[^\s:/@"]*:)[^\s/@"]+@/g, `$1${HIDDEN}@`],
  [new RegExp(`\\b((?:${KEY_NAMES})=)[^&\\s"'\\\\#,;]+`, 'gi'), `$1${HIDDEN}`],
  [
    new RegExp(
      `(${QUOTE}(?:${KEY_NAMES}|${HEADER_NAMES})${QUOTE}\\s*[:,]\\s*${QUOTE})[^"\\\\]+`,
      'gi',
    ),
    `$1${HIDDEN}`,
  ],
  [new RegExp(`\\b((?:${HEADER_NAMES}|x-api-key):\\s*)[^"\\\\\\r\\n]+`, 'gi'), `$1${HIDDEN}`],
  [/\b(Bearer|Basic) [\w.~+/=-]{6,}/gi, `$1 ${HIDDEN}`],
];
