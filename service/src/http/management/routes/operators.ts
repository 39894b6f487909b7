import type { RouteGroup } from '../route.ts';
import { peopleRoutes } from './people.ts';

export const group: RouteGroup = {
  name: 'operators',
  describe: 'People who operate the service.',
  routes: peopleRoutes({
    name: 'operators',
    basePath: '/operator/v1',
    person: 'an operator',
    permissions: { list: 'operators.list', invite: 'operators.create', change: 'operators.change' },
  }),
};
