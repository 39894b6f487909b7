import type { Endpoint } from '../../service/src/endpoints/endpoint.ts';
import { describeForClients } from '../../service/src/http/openapi/openapi-files.ts';
import type { Description } from './described.ts';
import { loadModule } from './load-module.ts';

/** Returns the OpenAPI document of the read API, or null if the endpoints do not exist. */
export async function describeReadApi(root: string): Promise<Description | null> {
  const registry = 'service/src/endpoints/registry.gen.ts';
  const source = await loadModule<{ endpoints: readonly Endpoint[] }>(root, registry);
  return source === null
    ? null
    : (JSON.parse(JSON.stringify(describeForClients(source.endpoints))) as Description);
}
