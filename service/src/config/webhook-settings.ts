import { isIP } from 'node:net';
import { normalizeCidr } from '../accounts/keys/cidr.ts';
import type { SettingSpec } from '../platform/settings.ts';
import * as type from '../platform/setting-types.ts';
import { isDevAllowEntry } from '../webhooks/address/dev-allow.ts';

/** The settings of webhooks, as part of the table of all settings. */
export const webhookSettings = {
  webhookPorts: {
    name: 'WEBHOOK_PORTS',
    type: type.list('a comma-separated list of ports', '443,8443', isPort),
    fallback: '443',
    sentence: 'Ports on public addresses that webhooks may be delivered to.',
  },
  webhookCaFile: {
    name: 'WEBHOOK_CA_FILE',
    type: type.path('/etc/ssl/own-ca.pem'),
    fallback: null,
    sentence: 'PEM certificates to trust for webhook endpoints, in addition to the public roots.',
  },
  webhookProxy: {
    name: 'WEBHOOK_PROXY',
    type: type.url(['http'], 'http://proxy.internal:3128'),
    fallback: null,
    sentence:
      'HTTP proxy that sends all webhooks, with CONNECT. Addresses are checked before, and the proxy gets the address, not the name.',
    secret: true,
  },
  webhookIdleConnections: {
    name: 'WEBHOOK_IDLE_CONNECTIONS',
    type: type.integer({ min: 0, max: 100_000, example: '1000' }),
    fallback: '1000',
    sentence:
      'Idle connections to webhook receivers that a process keeps. Each takes memory and a file descriptor.',
  },
  webhookAttemptDays: {
    name: 'WEBHOOK_ATTEMPT_DAYS',
    type: type.integer({ min: 7, max: 90, example: '30' }),
    unit: 'days',
    fallback: '30',
    sentence: 'Retention of webhook delivery attempts with their requests and responses.',
  },
  webhookDeliveryDays: {
    name: 'WEBHOOK_DELIVERY_DAYS',
    type: type.integer({ min: 7, max: 3650, example: '90' }),
    unit: 'days',
    fallback: '90',
    sentence:
      'Retention of finished webhook deliveries and alerts, at least as long as that of attempts. Pending deliveries are never deleted.',
  },
  webhookDeny: {
    name: 'WEBHOOK_DENY',
    type: type.list(
      'a comma-separated list of addresses and ranges',
      '198.51.100.0/24,2001:db8:1::/48',
      isAddressOrRange,
    ),
    fallback: '',
    sentence:
      'Public networks that no webhook may reach, such as your own. Private ones are always excluded.',
  },
  webhookDevAllow: {
    name: 'WEBHOOK_DEV_ALLOW',
    type: type.list(
      'a comma-separated list of loopback or private ranges, each with a port',
      '127.0.0.1:3000,10.0.0.0/8:8443',
      isDevAllowEntry,
    ),
    fallback: '',
    sentence:
      'For development: private hosts that webhooks may be delivered to, with plain HTTP on loopback. Rejected when NODE_ENV is production.',
  },
  webhookDevAllowInProduction: {
    name: 'WEBHOOK_DEV_ALLOW_IN_PRODUCTION',
    type: type.yesOrNo(),
    fallback: 'false',
    sentence:
      'Accepts WEBHOOK_DEV_ALLOW even when NODE_ENV is production. Every customer can then send requests to the listed hosts.',
  },
} as const satisfies Record<string, SettingSpec<unknown>>;

export function isAddressOrRange(item: string): boolean {
  return isIP(item) !== 0 || normalizeCidr(item) !== null;
}

function isPort(item: string): boolean {
  return /^[1-9]\d{0,4}$/.test(item) && Number(item) <= 65_535;
}
