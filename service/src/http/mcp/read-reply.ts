import type { HttpResponse } from '../response/http-response.ts';

/** A response of the read API, as a tool reads it. */
export interface ReadReply {
  status: number;
  body: string;
  /** Returns the value of a header, given in lower case, or null. */
  header(name: string): string | null;
}

export function readReplyOf({ status, headers, body }: HttpResponse): ReadReply {
  const byName = new Map<string, string>();
  for (let index = 0; index < headers.length; index += 2) {
    byName.set((headers[index] ?? '').toLowerCase(), headers[index + 1] ?? '');
  }
  return { status, body: body?.toString() ?? '', header: (name) => byName.get(name) ?? null };
}
