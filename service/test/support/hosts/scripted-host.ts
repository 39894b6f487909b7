import type { LocalReply, LocalRequest } from '../../../src/platform/local-dispatcher.ts';

/** One request as the host sees it. */
export type HostRequest = LocalRequest & { atMs: number };

export type HostReply = LocalReply;

/** A source that enforces its rules and remembers who broke them. */
export interface ScriptedHost {
  names: readonly string[];
  respond(request: HostRequest): HostReply;
  /** Every request received. */
  requests: HostRequest[];
  /** Each broken rule with its path, in the order of the requests. */
  violations: string[];
}

/** At most this many requests in any window. A client that exceeds it is refused for a while. */
export interface RequestLimit {
  name: string;
  requests: number;
  windowMs: number;
  refusal: HostReply;
  /** Length of the refusal, which each further request restarts. */
  blockMs: number;
}

export interface HostScript {
  names: readonly string[];
  limits: readonly RequestLimit[];
  /** Returns a refusal with its reason, or null for a request that follows the rules. */
  check(request: HostRequest): { reason: string; refusal: HostReply } | null;
  serve(request: HostRequest): HostReply;
}

export function scriptedHost({ names, limits, check, serve }: HostScript): ScriptedHost {
  const requests: HostRequest[] = [];
  const violations: string[] = [];
  const blockedUntilMs = new Map<string, number>();

  function refuse(reason: string, { path }: HostRequest, refusal: HostReply): HostReply {
    violations.push(`${reason}: ${path}`);
    return refusal;
  }

  return {
    names,
    requests,
    violations,
    respond(request) {
      requests.push(request);
      const { atMs } = request;
      for (const { name, requests: requestsMax, windowMs, refusal, blockMs } of limits) {
        const first = requests.at(-1 - requestsMax);
        const isOver = first !== undefined && atMs - first.atMs < windowMs;
        if (!isOver && (blockedUntilMs.get(name) ?? 0) <= atMs) continue;
        blockedUntilMs.set(name, atMs + blockMs);
        return refuse(name, request, refusal);
      }
      const problem = check(request);
      return problem === null ? serve(request) : refuse(problem.reason, request, problem.refusal);
    },
  };
}

export function jsonReply(body: unknown, status = 200): HostReply {
  return { status, body: JSON.stringify(body) };
}

export function pageReply(status: number, body: string): HostReply {
  return { status, headers: { 'content-type': 'text/html' }, body };
}
