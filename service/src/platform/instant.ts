/** An instant as an integer number of milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

/** Formats an instant as RFC 3339 in UTC with `Z`. Omits milliseconds if they are zero. */
export function formatInstant(instant: Instant): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Parses an RFC 3339 instant with an offset or `Z`. Returns null for anything else, including
 * impossible dates.
 */
export function parseInstant(text: string): Instant | null {
  if (!RFC_3339.test(text)) return null;
  const instant = Date.parse(text);
  if (Number.isNaN(instant)) return null;
  const day = text.slice(0, 10);
  const civil = new Date(`${day}T00:00:00Z`);
  return civil.toISOString().slice(0, 10) === day ? instant : null;
}
