import { SESSION_COOKIE, TEAM_HEADER } from '#contract/constants.ts';
import { ERRORS } from '#contract/errors.ts';
import { FHIR_TYPE } from '#contract/fhir.ts';
import { SCIM_TYPE } from '#contract/scim.ts';
import type { ContractRoute } from './contract-routes.ts';
import { permissionWords } from './permissions.ts';
import { type Components, describe, type JsonSchema } from './schemas.ts';

const ERROR_BODY: JsonSchema = {
  type: 'object',
  properties: {
    status: { type: 'integer' },
    errorKey: { type: 'string', enum: Object.keys(ERRORS) },
    message: { type: 'string' },
    requestId: { type: 'string' },
    fields: { type: 'object', additionalProperties: { type: 'string' } },
    current: {
      type: 'object',
      properties: {
        status: { type: 'string' },
        username: { type: 'string' },
        displayName: { type: ['string', 'null'] },
        otherText: { type: ['string', 'null'] },
        date: { type: 'string' },
      },
      required: ['status', 'username', 'displayName', 'otherText', 'date'],
    },
  },
  required: ['status', 'errorKey', 'message', 'requestId'],
};

/** Returns the API as an OpenAPI 3.1 document. */
export function openApi(routes: readonly ContractRoute[], version: string): object {
  const components: Components = { ErrorBody: ERROR_BODY };
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, components) };
  }
  const schemas = Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    openapi: '3.1.0',
    info: { title: 'Tidings', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    paths,
    components: {
      schemas,
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE } },
    },
  };
}

function operation(route: ContractRoute, components: Components): object {
  const { permission, summary } = route;
  const parameters = [
    ...parametersOf(route, 'params', components),
    ...parametersOf(route, 'query', components),
    ...(route.takesTeamHeader ? [teamHeader()] : []),
  ];
  return {
    summary,
    description: `Permission: ${permissionWords(permission)}`,
    security: permission === 'public' ? [] : [{ session: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBody(route, components),
    responses: {
      [route.status]: answerOf(route, components),
      default: {
        description: 'An error',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } },
      },
    },
  };
}

const teamHeader = () => ({
  name: TEAM_HEADER,
  in: 'header',
  required: true,
  schema: { $ref: '#/components/schemas/Id' },
});

function parametersOf(route: ContractRoute, part: 'params' | 'query', components: Components): object[] {
  const schema = route[part];
  if (!schema) return [];
  const { properties = {}, required = [] } = describe(schema, 'input', components);
  return Object.entries(properties).map(([name, each]) => ({
    name,
    in: part === 'params' ? 'path' : 'query',
    required: required.includes(name),
    schema: each,
  }));
}

const ANSWER_TYPES: Readonly<Record<string, string>> = { scim: SCIM_TYPE, fhir: FHIR_TYPE };
const BODY_TYPES: Readonly<Record<string, string>> = { form: 'application/x-www-form-urlencoded', scim: SCIM_TYPE };

function requestBody({ body, kind }: ContractRoute, components: Components): object {
  if (kind === 'multipart') {
    const file = { type: 'string', format: 'binary' };
    const schema = { type: 'object', properties: { file }, required: ['file'] };
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
  }
  if (!body) return {};
  const schema = describe(body, 'input', components);
  return {
    requestBody: {
      required: true,
      content: { [BODY_TYPES[kind ?? ''] ?? 'application/json']: { schema } },
    },
  };
}

function answerOf({ answer, kind }: ContractRoute, components: Components): object {
  if (kind === 'stream') return content('Server-sent events (contract/live.ts)', 'text/event-stream');
  if (kind === 'form') return { description: 'A redirect to a page' };
  if (kind === 'download') return content('A file', 'text/csv');
  if (!answer) return { description: 'Done' };
  const schema = describe(answer, 'output', components);
  return { description: 'The answer', content: { [ANSWER_TYPES[kind ?? ''] ?? 'application/json']: { schema } } };
}

const content = (description: string, type: string) => ({
  description,
  content: { [type]: { schema: { type: 'string' } } },
});
