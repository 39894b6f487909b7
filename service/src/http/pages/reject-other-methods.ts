import type { FastifyInstance, FastifyReply } from 'fastify';
import { problem, type Problem } from '../problems.ts';

const OTHER_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const GET_ALONE = problem('method-not-allowed', 'This page takes GET and HEAD.', {
  headers: ['Allow', 'GET, HEAD'],
});

/**
 * Refuses methods other than GET and HEAD on every path that has a page. Begun before the first page
 * is added, and closed by the function it returns once the last one is.
 */
export function rejectOtherMethods(
  app: FastifyInstance,
  refuse: (reply: FastifyReply, refusal: Problem) => FastifyReply,
): () => void {
  const pages = new Set<string>();
  app.addHook('onRoute', ({ method, url }) => {
    // Calls name several methods at once, and refuse the others themselves.
    if (method === 'GET') pages.add(url);
  });
  return () => {
    for (const url of pages) {
      app.route({
        method: OTHER_METHODS,
        url,
        onRequest: (_request, reply) => void refuse(reply, GET_ALONE),
        handler: (_request, reply) => refuse(reply, GET_ALONE),
      });
    }
  };
}
