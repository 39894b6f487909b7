import { Type } from 'typebox';
import { dataAccessOf } from '../data-access.ts';
import { defineRoute, type RouteGroup } from '../route.ts';

const QUERY_LENGTH_MAX = 2_000;

const readRoute = defineRoute({
  name: 'explore-read',
  method: 'GET',
  path: '/account/v1/explore/{endpoint}',
  summary: 'Call a read API endpoint',
  describe:
    'Queries the read API from the dashboard, without an API key. `endpoint` is the operation ID ' +
    'in the read API description, such as `calendar-earnings`. The response is identical to that ' +
    'of the endpoint, including headers such as `Link`, `X-Total-Count` and `X-History-From`. ' +
    'The history limit of the plan applies, and a response that no cache has counts toward the ' +
    'minute and the computing time of the plan. A plan with quotas also has a daily allowance of ten ' +
    'times its day, at least 2,000 such responses. Operators are not limited by the plan. Limited to 120 requests per minute per person.',
  access: 'data.read',
  withoutCustomer: 'data.explore',
  queuesItself: true,
  query: Type.Object({
    query: Type.Optional(
      Type.String({
        maxLength: QUERY_LENGTH_MAX,
        description:
          'Query string with the parameters of the endpoint, including path parameters: ' +
          '`symbol=ACME&limit=8`.',
      }),
    ),
  }),
  status: 200,
  response: Type.Unknown({ description: 'The response body of the endpoint.' }),
  async handle(call) {
    const access = await dataAccessOf(call);
    if ('rejected' in access) return access.rejected;
    const request = {
      name: call.param('endpoint'),
      query: call.query.query ?? '',
      customerId: call.customerId,
      payer: access.payer,
      requester: { queueKey: access.queueKey, whenClosed: call.whenClosed },
      remoteAddress: call.visitor.address,
    };
    const response = await call.deps.explorer.get(request, access.limit, call.now);
    if ('refusal' in response) return { kind: 'rejected', problem: response.refusal };
    return {
      kind: 'text',
      mediaType: response.mediaType,
      text: response.body,
      headers: response.headers,
    };
  },
});

export const group: RouteGroup = {
  name: 'explore',
  describe: 'Access to the read API for signed-in people.',
  routes: [readRoute],
};
