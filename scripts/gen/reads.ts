import type { Endpoint } from '../../service/src/endpoints/endpoint.ts';
import { openApiFile } from '../../service/src/http/write-openapi.ts';
import { answerOf, operationsOf, printNamed } from './described.ts';
import type { Description } from './described.ts';
import { loadModule } from './load-module.ts';
import { GENERATED } from './output.ts';
import type { Output } from './output.ts';
import { printMembers, printType } from './schema-type.ts';

/** What the dashboard may read through `explore`, and the types of the answers. */
export const reads: Output = {
  path: 'dashboard/src/api/reads.gen.ts',
  async render(root) {
    const path = 'service/src/endpoints/registry.gen.ts';
    const source = await loadModule<{ endpoints: readonly Endpoint[] }>(root, path);
    if (source === null) return null;
    return printReads(JSON.parse(openApiFile(source.endpoints)) as Description);
  },
};

function printReads({ paths, components }: Description): string {
  const types = Object.entries(components.schemas).map(([name, schema]) =>
    printNamed(name, schema),
  );
  const operations = operationsOf(paths).map(({ operation }) => {
    const parameters = (operation.parameters ?? []).filter(
      ({ in: place, name }) => place !== 'header' && name !== 'apikey',
    );
    const answer = answerOf(operation);
    return [
      `  /** ${operation.summary} */\n`,
      `  '${operation.operationId}': {\n`,
      `    query: {\n`,
      printMembers(
        Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
        parameters
          .filter((it) => it.required === true && it['x-required-unless'] === undefined)
          .map(({ name }) => name),
        3,
      ),
      `    };\n`,
      `    answer: ${answer === undefined ? 'string' : printType(answer, 2)};\n`,
      `  };\n`,
    ].join('');
  });
  return [
    `${GENERATED}\n`,
    ...types,
    `/** Every read endpoint: what it is asked with, and what it answers. */`,
    `export interface Reads {\n${operations.join('')}}\n`,
  ].join('\n');
}
