import type { FastifyInstance } from 'fastify';
import { etagOf, matchesTag, tagOf } from '../response/etag.ts';

/** Serves a text that does not change for the lifetime of the process. */
export function addText(
  app: FastifyInstance,
  path: string,
  type: string,
  text: string,
  headers: Record<string, string> = {},
): void {
  const body = Buffer.from(text);
  const tag = tagOf(body);
  app.get(path, (request, reply) => {
    reply.headers({
      'Cache-Control': 'public, max-age=300',
      ETag: etagOf(tag, 'identity'),
      ...headers,
    });
    const ifNoneMatch = request.headers['if-none-match'];
    if (ifNoneMatch !== undefined && matchesTag(ifNoneMatch, tag)) return reply.code(304).send();
    return reply.type(type).send(body);
  });
}
