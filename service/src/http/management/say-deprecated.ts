import type { FastifyReply, FastifyRequest } from 'fastify';
import { deprecationHeaders } from '../response/deprecation.ts';
import type { Route } from './route.ts';

/** Every answer of a call that is to go says so, refusals and faults too: it is said first. */
export function sayDeprecated(
  routes: readonly Route[],
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const said = new Map(routes.map((route) => [route.method as string, headersOf(route)]));
  return async ({ method }, reply) => {
    void reply.headers(said.get(method) ?? {});
  };
}

/** Several links are one header: of the others there is one each. */
function headersOf(route: Route): Record<string, string> {
  const headers: Record<string, string> = {};
  const said = deprecationHeaders(route) ?? [];
  for (let index = 0; index < said.length; index += 2) {
    const name = said[index] ?? '';
    const value = said[index + 1] ?? '';
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}
