import type { Endpoint } from '../../endpoints/endpoint.ts';
import { printManagementApi } from '../management/openapi.ts';
import type { RouteGroup } from '../management/route.ts';
import type { JsonObject } from './collect-schemas.ts';
import type { Template } from '../../webhooks/templates/template.ts';
import { printOpenApi } from './openapi-document.ts';

/**
 * The committed document uses a relative server URL, which resolves against the host that serves
 * it.
 */
const UNPUBLISHED = { publicUrl: '/', brand: 'Afterbell' };

/** Returns the content of `openapi/v1.json`, which `npm run gen` writes. */
export function openApiFile(
  endpoints: readonly Endpoint[],
  templates: readonly Template[] = [],
): string {
  return `${JSON.stringify(printOpenApi({ endpoints, templates, ...UNPUBLISHED }), null, 2)}\n`;
}

/** Returns the description from which our own clients are generated, with one call per endpoint. */
export function describeForClients(endpoints: readonly Endpoint[]): JsonObject {
  return printOpenApi({ endpoints, combinesDayAndRange: true, ...UNPUBLISHED });
}

/** Returns the content of `openapi/account.json`, the document for the management API. */
export function managementApiFile(groups: readonly RouteGroup[]): string {
  return `${JSON.stringify(printManagementApi({ groups, ...UNPUBLISHED }), null, 2)}\n`;
}
