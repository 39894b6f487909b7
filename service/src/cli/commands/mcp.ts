import { once } from 'node:events';
import { storedDemoKey } from '../../accounts/keys/demo-key.ts';
import { storeFolder } from '../../app/store-kind.ts';
import type { Settings } from '../../config/settings.ts';
import { type CliCommand, type CliContext, CliError } from '../command.ts';
import { addSettingOptions } from '../setting-options.ts';

export const command: CliCommand = {
  name: 'mcp',
  forwardable: false,
  add(program, context) {
    const mcp = program
      .command('mcp')
      .description('Serve MCP on standard input and output, from a running service');
    addSettingOptions(mcp).action((flags: Record<string, unknown>) =>
      run(context, context.settings(flags)),
    );
  },
};

/** Standard output belongs to the protocol, so every message goes to standard error. */
async function run(context: CliContext, settings: Settings): Promise<void> {
  const url = settings.serviceUrl ?? localUrl(settings);
  const key = settings.serviceApiKey ?? (await localKey(settings));
  if (key === null) {
    throw new CliError(
      'set SERVICE_API_KEY to an API key of the service; create one with: keys create',
    );
  }
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  const { createForwardingServer } = await import('../mcp/forwarding-server.ts');
  const { createServiceExchange } = await import('../../platform/http-client.ts');
  const exchange = createServiceExchange(context.clock);
  const onFailure = (message: string) => context.stderr(`mcp: ${message}\n`);
  const server = serveStdio(() => createForwardingServer({ url, key, exchange, onFailure }), {
    onerror: ({ message }) => onFailure(message),
  });
  context.stderr(`mcp: serving ${url} on standard input and output\n`);
  await once(process.stdin, 'close');
  await server.close();
}

/** Address of a service on this machine with the same settings. */
function localUrl({ host, port }: Settings): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Returns the key of a sandbox in the data folder. It is never sent to another address. */
async function localKey({ serviceUrl, dataDir }: Settings): Promise<string | null> {
  return serviceUrl === null ? storedDemoKey(storeFolder(dataDir, 'sandbox')) : null;
}
