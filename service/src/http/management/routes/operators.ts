import { peopleRoutes } from '../people-routes.ts';
import type { RouteGroup } from '../route.ts';

export const group: RouteGroup = {
  name: 'operators',
  describe: 'Those who run the service.',
  routes: peopleRoutes({
    name: 'operators',
    base: '/operator/v1',
    what: 'operators',
    acts: {
      list: 'operators.list',
      invite: 'operators.create',
      change: 'operators.change',
    },
  }),
};
