import type { Endpoint } from '../../service/src/endpoints/endpoint.ts';
import { describeForClients } from '../../service/src/http/openapi/openapi-files.ts';
import { type Description, printNamed } from './described.ts';
import { loadModule } from './load-module.ts';
import { GENERATED, type Output } from './output.ts';

/** Returns the OpenAPI document of the read API, or null if the endpoints do not exist. */
export async function describeReadApi(root: string): Promise<Description | null> {
  const registry = 'service/src/endpoints/registry.gen.ts';
  const source = await loadModule<{ endpoints: readonly Endpoint[] }>(root, registry);
  return source === null
    ? null
    : (JSON.parse(JSON.stringify(describeForClients(source.endpoints))) as Description);
}

/**
 * Returns a generated file for clients of the read API, with the types of all responses, followed
 * by `print`.
 */
export function readClient(
  path: string,
  printRest: (paths: Description['paths']) => readonly string[],
): Output {
  return {
    path,
    async render(root) {
      const description = await describeReadApi(root);
      if (description === null) return null;
      const { paths, components } = description;
      const types = Object.entries(components.schemas).map(([name, schema]) =>
        printNamed(name, schema),
      );
      return [`${GENERATED}\n`, ...types, ...printRest(paths)].join('\n');
    },
  };
}
