import type { Endpoint } from '../../endpoints/endpoint.ts';
import { printManagementApi } from '../management/openapi.ts';
import type { RouteGroup } from '../management/route.ts';
import { printOpenApi } from './openapi-document.ts';

/**
 * The committed document uses a relative server URL, so it resolves against wherever it is served.
 */
const UNPUBLISHED = { publicUrl: '/', brand: 'Afterbell' };

/** Content of `openapi/v1.json`, written by `npm run gen`. */
export function openApiFile(endpoints: readonly Endpoint[]): string {
  return `${JSON.stringify(printOpenApi({ endpoints, ...UNPUBLISHED }), null, 2)}\n`;
}

/** Content of `openapi/account.json`, the management API. */
export function managementApiFile(groups: readonly RouteGroup[]): string {
  return `${JSON.stringify(printManagementApi({ groups, ...UNPUBLISHED }), null, 2)}\n`;
}
