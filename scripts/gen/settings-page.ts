import type { Provider } from '../../service/src/providers/provider.ts';
import { loadModule } from './load-module.ts';
import type { Output } from './output.ts';

interface SettingsModule {
  renderSettingsMarkdown(sources: readonly Provider[]): string;
}

export const settingsPage: Output = {
  path: 'docs/settings.md',
  async render(root) {
    const settings = await loadModule<SettingsModule>(root, 'service/src/config/settings.ts');
    const registry = 'service/src/providers/registry.gen.ts';
    const source = await loadModule<{ providers: readonly Provider[] }>(root, registry);
    return settings?.renderSettingsMarkdown(source?.providers ?? []) ?? null;
  },
};
