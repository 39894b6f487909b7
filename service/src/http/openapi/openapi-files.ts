import type { Endpoint } from '../../endpoints/endpoint.ts';
import { printManagementApi } from '../management/openapi.ts';
import type { RouteGroup } from '../management/route.ts';
import { printOpenApi } from './openapi-document.ts';

/** The committed description stands nowhere yet: its server is the address it is read from. */
const NEUTRAL = { publicUrl: '/', brand: 'Afterbell' };

/** The text of `openapi/v1.json`, which `npm run gen` writes. */
export function openApiFile(endpoints: readonly Endpoint[]): string {
  return `${JSON.stringify(printOpenApi({ endpoints, ...NEUTRAL }), null, 2)}\n`;
}

/** The text of `openapi/account.json`: the management interface. */
export function managementApiFile(groups: readonly RouteGroup[]): string {
  return `${JSON.stringify(printManagementApi({ groups, ...NEUTRAL }), null, 2)}\n`;
}
