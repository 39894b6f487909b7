import { problem, type Problem } from '../problems.ts';
import type { RequestContext } from '../request-context.ts';
import { applyHistoryLimit, type ResolvedQuery } from '../response/resolved-query.ts';
import { type Accept } from './accept.ts';
import { hasBody, UNEXPECTED_BODY } from './check-message.ts';
import { isAcceptable, prefersCsv, withCsvFormat } from './format.ts';
import { type RequestTarget, resolveParameters } from './request-target.ts';

const NO_ACCEPTABLE_FORMAT = problem(
  'not-acceptable',
  'The Accept header rules out every format of this response.',
);

/**
 * Runs the checks that require no data, in this order: request body, parameters, response format,
 * plan history. Stores the canonical URL in the context.
 */
export function resolveQuery(
  context: RequestContext,
  accept: Accept,
  parseTarget: (url: string) => RequestTarget | null,
): ResolvedQuery | { refusal: Problem } {
  const { request, target, now, key } = context;
  if (hasBody(request)) return { refusal: UNEXPECTED_BODY };
  const asCsv = prefersCsv(target, accept) ? parseTarget(withCsvFormat(target)) : null;
  const resolved = resolveParameters(asCsv ?? target, now);
  if ('refusal' in resolved) return resolved;
  context.location = resolved.location;
  context.datesValidUntil = resolved.datesValidUntil;
  if (!isAcceptable(target, resolved.values, accept)) return { refusal: NO_ACCEPTABLE_FORMAT };
  const { values, location } = resolved;
  return applyHistoryLimit({ endpoint: target.endpoint, values, location }, key.plan, now);
}
