/**
 * How a command reaches the store that a running service holds: over a Unix socket the command is
 * sent to that service, runs there, and its output comes back.
 */
export { forwardCommand } from './control/forward.ts';
export { HeldByServiceError } from './control/held-by-service-error.ts';
export { serveControlSocket } from './control/server.ts';
