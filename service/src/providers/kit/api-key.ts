import type { PlanContext } from '../provider.ts';

/** The API key in a setting; null if it is missing or cannot be sent. */
export function readApiKey(context: PlanContext, setting: string): string | null {
  const key = context.setting(setting)?.trim() ?? '';
  return isApiKey(key) ? key : null;
}

/** Accepts any value that fits in a header or URL: sources do not document the format of their keys. */
export function isApiKey(value: string): boolean {
  return /^[\x21-\x7e]{8,200}$/.test(value.trim());
}
