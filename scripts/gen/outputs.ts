import { calls } from './calls.ts';
import { endpointsPage } from './endpoints-page.ts';
import { errorsPage } from './errors-page.ts';
import { managementApi, openapi } from './openapi.ts';
import type { Output } from './output.ts';
import { precedence } from './precedence.ts';
import { providerTables } from './provider-tables.ts';
import { providersPage } from './providers-page.ts';
import { pythonClient } from './python-client.ts';
import { pythonModels } from './python-models.ts';
import { readPaths } from './read-paths.ts';
import { REGISTRIES, registryOutput } from './registry.ts';
import { schema } from './schema.ts';
import { sdkReads } from './sdk-reads.ts';
import { settingsPage } from './settings-page.ts';
import { topics } from './topics.ts';

/** Registries come first, and the page of endpoints last: it reads the generated clients. */
export const outputs: readonly Output[] = [
  ...REGISTRIES.map(registryOutput),
  topics,
  precedence,
  errorsPage,
  settingsPage,
  providersPage,
  ...providerTables,
  openapi,
  managementApi,
  calls,
  readPaths,
  sdkReads,
  pythonModels,
  pythonClient,
  schema,
  endpointsPage,
];
