import type { FastifyInstance, FastifyReply } from 'fastify';
import { problem, type Problem } from '../problems.ts';

const OTHER_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const GET_ONLY = problem('method-not-allowed', 'This page takes GET and HEAD.', {
  headers: ['Allow', 'GET, HEAD'],
});

/**
 * Rejects methods other than GET and HEAD on every path that has a page. Call this before adding
 * the first page, and call the returned function after adding the last one.
 */
export function rejectOtherMethods(
  app: FastifyInstance,
  refuse: (reply: FastifyReply, refusal: Problem) => FastifyReply,
): () => void {
  const pages = new Set<string>();
  app.addHook('onRoute', ({ method, url }) => {
    // API routes register several methods themselves and reject all others.
    if (method === 'GET') pages.add(url);
  });
  return () => {
    for (const url of pages) {
      app.route({
        method: OTHER_METHODS,
        url,
        onRequest: (_request, reply) => void refuse(reply, GET_ONLY),
        handler: (_request, reply) => refuse(reply, GET_ONLY),
      });
    }
  };
}
