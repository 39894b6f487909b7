import { loadModule } from './load-module.ts';
import type { Output } from './output.ts';

interface OpenapiModule {
  renderOpenapi(): string | Promise<string>;
}

/** The description of the read interface, from the endpoints' own parameters and schemas. */
export const openapi: Output = {
  path: 'openapi/v1.json',
  async render(root) {
    const source = await loadModule<OpenapiModule>(root, 'service/src/http/write-openapi.ts');
    return source === null ? null : await source.renderOpenapi();
  },
};
