import { peopleRoutes } from '../people-routes.ts';
import type { RouteGroup } from '../route.ts';

export const group: RouteGroup = {
  name: 'people',
  describe: 'Owners and members of the account. Management keys do not reach them.',
  routes: peopleRoutes({
    name: 'people',
    base: '/account/v1',
    what: 'people of the account',
    acts: {
      list: 'people.list',
      invite: 'people.invite',
      change: 'people.change',
    },
  }),
};
