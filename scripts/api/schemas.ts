import { z } from 'zod';
import * as accounts from '#contract/accounts.ts';
import * as feeds from '#contract/feeds.ts';
import * as patients from '#contract/patients.ts';
import * as pings from '#contract/pings.ts';
import * as primitives from '#contract/primitives.ts';
import * as rosters from '#contract/rosters.ts';
import * as savedFilters from '#contract/saved-filters.ts';
import * as search from '#contract/search.ts';

/** The part of JSON Schema (draft 2020-12, as in OpenAPI 3.1) that zod writes for the contract. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  anyOf?: JsonSchema[];
  [keyword: string]: unknown;
}

const NAMED = [accounts, feeds, patients, pings, primitives, rosters, savedFilters, search];

/** A schema that the contract exports is referred to by its name: `patientId` is PatientId. */
const registry = z.registry<{ id: string }>();
for (const module of NAMED) {
  for (const [name, value] of Object.entries(module)) {
    if (value instanceof z.ZodType && !registry.has(value)) {
      registry.add(value, { id: `${name.charAt(0).toUpperCase()}${name.slice(1)}` });
    }
  }
}

/** The schemas that others refer to, by name. `describe` adds to it. */
export type Components = Record<string, JsonSchema>;

/**
 * Returns the JSON Schema of a contract schema as a caller writes it ('input') or reads it ('output'); references point to
 * `#/components/schemas/`. Throws if a name would mean two things.
 */
export function describe(schema: z.ZodType, io: 'input' | 'output', components: Components): JsonSchema {
  const written = z.toJSONSchema(schema, { io, metadata: registry as never, override: tidy });
  const own = relocate(written);
  for (const [name, component] of Object.entries((own.$defs ?? {}) as Components)) {
    delete component.id;
    const known = components[name];
    if (known && JSON.stringify(known) !== JSON.stringify(component)) {
      throw new Error(`${name} is one thing in a request and another in an answer: it needs two names`);
    }
    components[name] = component;
  }
  delete own.$schema;
  delete own.$defs;
  return own;
}

/** Removes what says nothing: bounds that only describe a safe integer, and keys that are plain strings. */
function tidy({ jsonSchema }: { jsonSchema: object }): void {
  const schema = jsonSchema as JsonSchema;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  delete schema.propertyNames;
}

/** Returns a copy whose references point to where OpenAPI keeps schemas. */
function relocate(schema: object): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')) as JsonSchema;
}
