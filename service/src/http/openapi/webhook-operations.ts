import { Type } from 'typebox';
import type { Template } from '../../webhooks/templates/template.ts';
import { collectSchemas, type Json, type JsonObject } from './collect-schemas.ts';

/** Renders the templates as OpenAPI webhooks, by event type. */
export function webhookItems(
  templates: readonly Template[],
  headerBrand: string,
  schemas: Record<string, JsonObject>,
): JsonObject {
  return Object.fromEntries(
    templates.map((template) => [
      template.eventType,
      {
        post: operationOf(template, headerBrand, collectSchemas(deliverySchema(template), schemas)),
      },
    ]),
  );
}

function operationOf(template: Template, headerBrand: string, delivery: Json): JsonObject {
  return {
    operationId: template.eventType.replaceAll(/[._]/g, '-'),
    summary: template.describe.replace(/\.$/, ''),
    description: DESCRIPTION,
    tags: ['webhooks'],
    security: [],
    parameters: headerParameters(headerBrand),
    requestBody: { required: true, content: { 'application/json': { schema: delivery } } },
    responses: {
      '200': { description: 'Delivered. Any status from 200 to 299 has the same meaning.' },
      '401': { description: 'The signature is wrong. The service sends the delivery again later.' },
      '410': { description: 'No more deliveries are wanted. The service disables the endpoint.' },
      default: {
        description:
          'Not delivered. The same holds without a response within 15 seconds. The service sends ' +
          'the delivery again later.',
      },
    },
  };
}

const DESCRIPTION =
  'The service sends this request to your endpoint when the data of a subscribed company changes. ' +
  'Verify the signature before you use the body: `sha256=` and the hexadecimal HMAC-SHA256 of the ' +
  'timestamp header directly followed by the raw body, keyed with the secret of the endpoint. An ' +
  'endpoint that has chosen CloudEvents gets the same data in an envelope of that standard.';

function headerParameters(brand: string): JsonObject[] {
  const header = (name: string, description: string, schema: JsonObject): JsonObject => ({
    name: `X-${brand}-${name}`,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string', ...schema },
  });
  return [
    header('Delivery-Id', 'Equals `id` in the body.', { pattern: DELIVERY_ID }),
    header('Timestamp', 'When this attempt was sent, in Unix seconds.', { pattern: '^\\d+$' }),
    header('Signature', 'Signature of the timestamp and the body.', {
      pattern: '^sha256=[0-9a-f]{64}$',
    }),
  ];
}

const DELIVERY_ID = '^del_[0-9a-z]+$';

function deliverySchema({ templateId, eventType, describe, data, fields }: Template) {
  const name = templateId
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
  return Type.Object(
    {
      id: Type.String({
        pattern: DELIVERY_ID,
        description: 'The same in every attempt. Do not process the same id twice.',
      }),
      created_at: Type.String({
        format: 'date-time',
        description: 'When the delivery was created.',
      }),
      template_id: Type.Enum([templateId], { type: 'string' }),
      event_type: Type.Enum([eventType], { type: 'string' }),
      context: Type.Object(
        { symbol: Type.String({ description: 'The subscribed company.' }) },
        { $id: 'DeliveryContext' },
      ),
      data: Type.Object(data.properties, {
        $id: `${name}Data`,
        description: 'Data as of just before the request. Unknown values are null.',
      }),
      changed_fields: Type.Array(Type.Enum([...fields], { type: 'string' }), {
        description: 'Fields of `data` whose values may be new to you.',
      }),
    },
    { $id: `${name}Delivery`, description: describe },
  );
}
