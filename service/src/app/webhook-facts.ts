import { devAllow } from '../webhooks/address/dev-allow.ts';
import type { UrlRules } from '../webhooks/address/url-rules.ts';
import type { WebhookFacts } from '../webhooks/webhook-deps.ts';
import type { Settings } from '../config/settings.ts';
import { loadSourceData } from '../delivery/source-data.ts';
import { templates } from '../webhooks/templates/registry.gen.ts';

/** What acts on webhooks know of the templates and settings above them. */
export function webhookFacts(
  settings: Pick<Settings, 'webhookPorts' | 'webhookDevAllow'>,
  wake: () => void = () => undefined,
): WebhookFacts {
  const byId = new Map(templates.map((template) => [template.templateId, template]));
  return {
    templates,
    urlRules: webhookUrlRules(settings),
    async loadSourceData(db, wanted, now) {
      const known = wanted.flatMap(({ templateId, symbol }) => {
        const template = byId.get(templateId);
        return template === undefined ? [] : [{ template, symbol }];
      });
      const dataOf = await loadSourceData(db, known, now);
      return ({ templateId, symbol }) => {
        const template = byId.get(templateId);
        return template === undefined ? null : dataOf({ template, symbol });
      };
    },
    wake,
  };
}

/** Where deliveries may go, by the settings. */
export function webhookUrlRules(
  settings: Pick<Settings, 'webhookPorts' | 'webhookDevAllow'>,
): UrlRules {
  return {
    ports: settings.webhookPorts.map(Number),
    devAllow: devAllow(settings.webhookDevAllow),
  };
}
