import type { FastifyInstance } from 'fastify';
import { formatInstant } from '../../platform/instant.ts';
import type { Clock } from '../../platform/clock.ts';

const PATH = '/.well-known/security.txt';
/** RFC 9116 recommends less than a year. The text is never older than its response. */
const VALID_MS = 180 * 86_400_000;

interface Options {
  contact: string;
  publicUrl: string;
  clock: Pick<Clock, 'now'>;
}

/** Serves how to report a vulnerability, as RFC 9116 defines it. */
export function addSecurityText(app: FastifyInstance, options: Options): void {
  const { contact, publicUrl, clock } = options;
  app.get(PATH, (_request, reply) => {
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${formatInstant(clock.now() + VALID_MS)}`,
      'Preferred-Languages: en',
      `Canonical: ${publicUrl}${PATH}`,
    ];
    return reply
      .type('text/plain; charset=utf-8')
      .header('Cache-Control', 'public, max-age=300')
      .send(`${lines.join('\n')}\n`);
  });
}
