import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { printOpenApi } from './openapi.ts';

/** The committed description stands nowhere yet: its server is the address it is read from. */
const NEUTRAL = { publicUrl: '/', brand: 'Service' };

/** The text of `openapi/v1.json`. */
export function openApiFile(endpoints: readonly Endpoint[]): string {
  return `${JSON.stringify(printOpenApi({ endpoints, ...NEUTRAL }), null, 2)}\n`;
}

/** Writes the committed description; `node service/src/http/write-openapi.ts` does it too. */
export async function writeOpenApi(endpoints: readonly Endpoint[]): Promise<void> {
  await writeFile(new URL('../../../openapi/v1.json', import.meta.url), openApiFile(endpoints));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const registry: string = '../endpoints/registry.gen.ts';
  const { endpoints } = (await import(registry)) as {
    endpoints: readonly Endpoint[];
  };
  await writeOpenApi(endpoints);
}
