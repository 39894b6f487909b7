import type { Settings } from '../config/settings.ts';
import { loadSourceData } from '../delivery/source-data.ts';
import { devAllow } from '../webhooks/address/dev-allow.ts';
import { toAddressRange } from '../webhooks/address/forbidden-address.ts';
import type { UrlRules } from '../webhooks/address/url-rules.ts';
import { templates } from '../webhooks/templates/registry.gen.ts';
import type { WebhookContext } from '../webhooks/webhook-deps.ts';

type UrlSettings = Pick<Settings, 'webhookPorts' | 'webhookDevAllow' | 'webhookDeny'>;

/**
 * Returns the templates and settings that webhook calls need. `wake` is called when a delivery
 * becomes due.
 */
export function webhookFacts(
  settings: UrlSettings,
  wake: () => void = () => undefined,
): WebhookContext {
  const templateById = new Map(templates.map((template) => [template.templateId, template]));
  return {
    templates,
    urlRules: webhookUrlRules(settings),
    async loadSourceData(db, subscriptions, now) {
      const queries = subscriptions.flatMap(({ templateId, symbol }) => {
        const template = templateById.get(templateId);
        return template === undefined ? [] : [{ template, symbol }];
      });
      const dataOf = await loadSourceData(db, queries, now);
      return ({ templateId, symbol }) => {
        const template = templateById.get(templateId);
        return template === undefined ? null : dataOf({ template, symbol });
      };
    },
    wake,
  };
}

/** Returns the rules for where webhooks may be delivered, from the settings. */
export function webhookUrlRules(settings: UrlSettings): UrlRules {
  return {
    ports: settings.webhookPorts.map(Number),
    devAllow: devAllow(settings.webhookDevAllow),
    denied: settings.webhookDeny.map(toAddressRange),
  };
}
