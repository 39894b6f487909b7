import type { Settings } from '../../config/settings.ts';
import type { CliCommand, CliContext } from '../command.ts';
import { openProcess, requirePostgres } from '../roles/role.ts';
import { processCount, runServeNode } from '../roles/serve-node.ts';
import { isServeProcess, runServeProcess } from '../roles/serve-process.ts';
import { addSettingOptions } from '../setting-options.ts';
import { renderWelcome } from '../roles/welcome.ts';

export const command: CliCommand = {
  name: 'serve',
  forwardable: false,
  add(program, context) {
    const serve = program
      .command('serve')
      .description('Run only the HTTP server, with other processes on the same PostgreSQL');
    addSettingOptions(serve).action((flags: Record<string, unknown>) =>
      isServeProcess() ? runServeProcess(context) : run(context, context.settings(flags)),
    );
  },
};

async function run(context: CliContext, settings: Settings): Promise<void> {
  requirePostgres('serve', settings);
  const count = processCount(settings);
  if (count > 1) return runServeNode(context, settings, count);
  // Imported here, because the process that supervises others does not need the whole service.
  const { startServe } = await import('../../app/app.ts');
  const running = openProcess(context, settings, settings.drainSeconds * 1_000);
  const { shutdown } = running;
  const role = await startServe({ ...running, kind: null });
  if (!shutdown.signal.aborted) {
    role.markReady();
    context.stderr(renderWelcome(role, settings, await role.dayToShow()));
    context.stdout(`ready ${role.url}\n`);
  }
  await shutdown.done;
}
