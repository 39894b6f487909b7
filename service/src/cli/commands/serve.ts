import { startServe } from '../../app/app.ts';
import type { Settings } from '../../config/settings.ts';
import type { CliCommand, CliContext } from '../command.ts';
import { openProcess, requirePostgres } from '../roles/role.ts';
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
      run(context, context.settings(flags)),
    );
  },
};

async function run(context: CliContext, settings: Settings): Promise<void> {
  requirePostgres('serve', settings);
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
