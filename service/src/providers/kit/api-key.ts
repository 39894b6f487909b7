import type { PlanContext } from '../provider.ts';

/** Returns the API key from a setting, or null if it is missing or cannot be sent. */
export function readApiKey(context: PlanContext, setting: string): string | null {
  const key = context.setting(setting)?.trim() ?? '';
  return isApiKey(key) ? key : null;
}

/**
 * Accepts any value that fits in a header or URL, since sources do not document their key formats.
 */
export function isApiKey(value: string): boolean {
  return /^[\x21-\x7e]{8,200}$/.test(value.trim());
}
