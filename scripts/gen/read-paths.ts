import { isStream, operationsOf } from './described.ts';
import { GENERATED, type Output } from './output.ts';
import { describeReadApi } from './read-api.ts';

/**
 * The endpoints that the dashboard reads through `explore`: their URLs and the sections of the
 * reference that list them. The types of their responses are those of the client library.
 */
export const readPaths: Output = {
  path: 'dashboard/src/api/read-paths.gen.ts',
  async render(root) {
    const description = await describeReadApi(root);
    if (description === null) return null;
    const paths = operationsOf(description.paths)
      .filter(({ operation }) => !isStream(operation))
      .map(({ path, operation: { operationId, tags } }) => {
        return `  '${operationId}': { path: '${path}', tag: '${tags[0] ?? ''}' },\n`;
      });
    return [
      `${GENERATED}\n`,
      `/** The URL of each read endpoint, and the section of the reference that lists it. */`,
      `export const READ_PATHS = {`,
      `${paths.join('')}} as const;\n`,
      `/** The name of a read endpoint: its operation id in the OpenAPI document. */`,
      `export type ReadEndpoint = keyof typeof READ_PATHS;\n`,
    ].join('\n');
  },
};
