import type { Endpoint } from '../../service/src/endpoints/endpoint.ts';
import type { RouteGroup } from '../../service/src/http/management/route.ts';
import { managementApiFile, openApiFile } from '../../service/src/http/openapi/openapi-files.ts';
import type { Template } from '../../service/src/webhooks/templates/template.ts';
import { loadModule } from './load-module.ts';
import type { Output } from './output.ts';

/**
 * The OpenAPI document for the read API, generated from the parameters and schemas of its
 * endpoints and from the webhook templates.
 */
export const openapi: Output = {
  path: 'openapi/v1.json',
  async render(root) {
    const path = 'service/src/endpoints/registry.gen.ts';
    const source = await loadModule<{ endpoints: readonly Endpoint[] }>(root, path);
    if (source === null) return null;
    const registry = 'service/src/webhooks/templates/registry.gen.ts';
    const webhooks = await loadModule<{ templates: readonly Template[] }>(root, registry);
    return openApiFile(source.endpoints, webhooks?.templates ?? []);
  },
};

/** The OpenAPI document for the management API, generated from the table of calls. */
export const managementApi: Output = {
  path: 'openapi/account.json',
  async render(root) {
    const path = 'service/src/http/management/routes/registry.gen.ts';
    const source = await loadModule<{ routeGroups: readonly RouteGroup[] }>(root, path);
    return source === null ? null : managementApiFile(source.routeGroups);
  },
};
