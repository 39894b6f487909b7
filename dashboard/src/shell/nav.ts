import {
  IconActivity,
  IconBellRinging,
  IconBuildingBank,
  IconBuildings,
  IconCalendarWeek,
  IconChartBar,
  IconChartCandle,
  IconClipboardList,
  IconDatabaseSearch,
  IconEye,
  IconHome,
  IconKey,
  IconListDetails,
  IconServer,
  IconShieldHalf,
  IconStack2,
  IconTrafficCone,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';

export const ACCOUNT_NAV = [
  { heading: null, items: [{ to: '/', name: 'Overview', icon: IconHome }] },
  {
    heading: 'Market',
    items: [
      { to: '/calendar', name: 'Calendar', icon: IconCalendarWeek },
      { to: '/symbols', name: 'Companies', icon: IconChartCandle },
      { to: '/watchlists', name: 'Watchlists', icon: IconEye },
    ],
  },
  {
    heading: 'API',
    items: [
      { to: '/keys', name: 'API keys', icon: IconKey },
      { to: '/usage', name: 'Usage', icon: IconChartBar },
      { to: '/requests', name: 'Request log', icon: IconListDetails },
    ],
  },
  {
    heading: 'Webhooks',
    items: [
      { to: '/webhooks', name: 'Endpoints', icon: IconWebhook },
      { to: '/deliveries', name: 'Deliveries', icon: IconBellRinging },
    ],
  },
  {
    heading: 'Account',
    items: [
      { to: '/team', name: 'Team', icon: IconUsers },
      { to: '/audit', name: 'Audit log', icon: IconClipboardList },
    ],
  },
] as const;

export const OPERATOR_NAV = [
  { heading: null, items: [{ to: '/operator', name: 'Overview', icon: IconHome }] },
  {
    heading: 'Data',
    items: [
      { to: '/operator/sources', name: 'Sources', icon: IconBuildingBank },
      { to: '/operator/runs', name: 'Runs', icon: IconActivity },
      { to: '/operator/quarantine', name: 'Quarantine', icon: IconTrafficCone },
      { to: '/operator/facts', name: 'Data explorer', icon: IconDatabaseSearch },
      { to: '/operator/market', name: 'Market calendar', icon: IconCalendarWeek },
    ],
  },
  {
    heading: 'Customers',
    items: [
      { to: '/operator/customers', name: 'Customers', icon: IconBuildings },
      { to: '/operator/plans', name: 'Plans', icon: IconStack2 },
      { to: '/operator/deliveries', name: 'Deliveries', icon: IconBellRinging },
    ],
  },
  {
    heading: 'Service',
    items: [
      { to: '/operator/operators', name: 'Operators', icon: IconShieldHalf },
      { to: '/operator/audit', name: 'Audit log', icon: IconClipboardList },
      { to: '/operator/system', name: 'System', icon: IconServer },
    ],
  },
] as const;

/** Empty while a person may open only one page. */
export type NavGroups = typeof ACCOUNT_NAV | typeof OPERATOR_NAV | readonly [];
