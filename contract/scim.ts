/**
 * SCIM 2.0 (RFC 7643, RFC 7644): how an identity provider creates, changes and disables the accounts of a connection, and says who is in
 * which of its groups. The words are the standard's. Attributes that are not listed here are ignored, as section 3.3 of RFC 7644 allows.
 */
import { z } from 'zod';
import { plainText } from './primitives.ts';

export const SCIM_USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const SCIM_GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const SCIM_LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
export const SCIM_PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const SCIM_ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error';
/** RFC 7644, 8.1. */
export const SCIM_TYPE = 'application/scim+json';

/** The most resources of a page, which is also how many come without `count`. */
export const SCIM_MAX_RESULTS = 200;
/** The most members of a group that one call may name. */
export const SCIM_MAX_MEMBERS = 5000;

/** What administrators read on one line: a title, the name of a group, an id of the provider. In characters. */
export const SCIM_TEXT_MAX = 200;
export const scimText = plainText(SCIM_TEXT_MAX);

/** Entra ID sends 'False' for false. */
const truth = z.union([
  z.boolean(),
  z
    .string()
    .regex(/^(true|false)$/i, 'Must be true or false.')
    .transform((text) => text.toLowerCase() === 'true'),
]);
export const scimActive = truth;

/** An account as an identity provider sends it. `userName` is the email address with which the person signs in. */
export const scimUserFields = z.object({
  userName: z.string().trim().max(254),
  externalId: scimText.nullish(),
  name: z.object({ givenName: z.string().max(200).nullish(), familyName: z.string().max(200).nullish() }).nullish(),
  title: scimText.nullish(),
  /** Without it a new account is active, and a known one stays as it is. */
  active: truth.optional(),
});
export type ScimUserFields = z.output<typeof scimUserFields>;

const member = z.object({ value: z.string().max(100) });
/** A group of the identity provider. What its members may do here, administrators decide. */
export const scimGroupFields = z.object({
  displayName: scimText.trim().min(1),
  externalId: scimText.nullish(),
  members: z.array(member).max(SCIM_MAX_MEMBERS).nullish(),
});
export type ScimGroupFields = z.output<typeof scimGroupFields>;

/** RFC 7644, 3.5.2. */
export const scimPatch = z.object({
  Operations: z
    .array(z.object({ op: z.string().max(20), path: z.string().max(500).nullish(), value: z.unknown().optional() }))
    .min(1)
    .max(200),
});
export type ScimOperation = z.output<typeof scimPatch>['Operations'][number];

const meta = z.object({ resourceType: z.enum(['User', 'Group']), created: z.string(), location: z.string() });
const reference = z.object({ value: z.string(), display: z.string(), $ref: z.string() });

/** An answer holds what the call's `attributes` and `excludedAttributes` leave of it. */
export const scimUser = z.object({
  schemas: z.array(z.literal(SCIM_USER)),
  id: z.string(),
  externalId: z.string().optional(),
  userName: z.string().optional(),
  name: z.object({ formatted: z.string(), givenName: z.string(), familyName: z.string() }).optional(),
  displayName: z.string().optional(),
  title: z.string().optional(),
  active: z.boolean().optional(),
  emails: z.array(z.object({ value: z.string(), type: z.literal('work'), primary: z.literal(true) })).optional(),
  groups: z.array(reference).optional(),
  meta: meta.optional(),
});
export type ScimUser = z.infer<typeof scimUser>;

export const scimGroup = z.object({
  schemas: z.array(z.literal(SCIM_GROUP)),
  id: z.string(),
  externalId: z.string().optional(),
  displayName: z.string().optional(),
  members: z.array(reference).optional(),
  meta: meta.optional(),
});
export type ScimGroup = z.infer<typeof scimGroup>;

export const scimList = <T extends z.ZodType>(resource: T) =>
  z.object({
    schemas: z.array(z.literal(SCIM_LIST)),
    totalResults: z.number().int(),
    startIndex: z.number().int(),
    itemsPerPage: z.number().int(),
    Resources: z.array(resource),
  });

/** RFC 7644, 3.4.2. A number that is too small or too large counts as the nearest allowed one, as section 3.4.2.4 asks. */
export const scimQuery = z.object({
  filter: z.string().max(1000).optional(),
  startIndex: z.coerce.number().int().catch(1).default(1),
  count: z.coerce.number().int().catch(SCIM_MAX_RESULTS).default(SCIM_MAX_RESULTS),
  attributes: z.string().max(500).optional(),
  excludedAttributes: z.string().max(500).optional(),
});
export const scimProjection = scimQuery.pick({ attributes: true, excludedAttributes: true });

/** The standard's own words for what is wrong (RFC 7644, 3.12). */
export const SCIM_TYPES = [
  'invalidFilter',
  'uniqueness',
  'mutability',
  'invalidSyntax',
  'invalidPath',
  'invalidValue',
  'noTarget',
] as const;
export type ScimType = (typeof SCIM_TYPES)[number];
