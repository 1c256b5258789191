/** What a provider can find out about us (RFC 7643, 5 to 7). */
import { SCIM_GROUP, SCIM_MAX_RESULTS, SCIM_USER } from '#contract/scim.ts';

const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema';
const RESOURCE_TYPE = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';

export const serviceProviderConfig = (base: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: SCIM_MAX_RESULTS },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'A token of the connection, issued to its administrators',
      specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});

export const resourceTypes = (base: string) =>
  (
    [
      ['User', SCIM_USER],
      ['Group', SCIM_GROUP],
    ] as const
  ).map(([name, schema]) => ({
    schemas: [RESOURCE_TYPE],
    id: name,
    name,
    endpoint: `/${name}s`,
    schema,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  }));

interface Described {
  type?: 'string' | 'boolean' | 'complex' | 'reference';
  multiValued?: boolean;
  required?: boolean;
  caseExact?: boolean;
  mutability?: 'readWrite' | 'readOnly' | 'immutable';
  uniqueness?: 'none' | 'server';
  subAttributes?: object[];
}

const attribute = (name: string, { type = 'string', ...rest }: Described = {}) => ({
  name,
  type,
  multiValued: false,
  required: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...(type === 'string' ? { caseExact: false } : {}),
  ...rest,
});

const READ_ONLY = { mutability: 'readOnly' } as const;
const references = (name: string, mutability: 'readWrite' | 'readOnly') =>
  attribute(name, {
    type: 'complex',
    multiValued: true,
    mutability,
    subAttributes: [
      attribute('value', { mutability: mutability === 'readOnly' ? mutability : 'immutable' }),
      attribute('display', READ_ONLY),
      attribute('$ref', { type: 'reference', ...READ_ONLY }),
    ],
  });

const USER_ATTRIBUTES = [
  attribute('userName', { required: true, uniqueness: 'server' }),
  attribute('name', {
    type: 'complex',
    required: true,
    subAttributes: [
      attribute('formatted', READ_ONLY),
      attribute('givenName', { required: true }),
      attribute('familyName', { required: true }),
    ],
  }),
  attribute('displayName', READ_ONLY),
  attribute('title'),
  attribute('active', { type: 'boolean' }),
  attribute('emails', {
    type: 'complex',
    multiValued: true,
    ...READ_ONLY,
    subAttributes: [
      attribute('value', READ_ONLY),
      attribute('type', READ_ONLY),
      attribute('primary', { type: 'boolean', ...READ_ONLY }),
    ],
  }),
  references('groups', 'readOnly'),
];

const GROUP_ATTRIBUTES = [
  attribute('displayName', { required: true, uniqueness: 'server' }),
  references('members', 'readWrite'),
];

export const schemas = (base: string) =>
  (
    [
      [SCIM_USER, 'User', 'An account', USER_ATTRIBUTES],
      [SCIM_GROUP, 'Group', 'A group of the identity provider', GROUP_ATTRIBUTES],
    ] as const
  ).map(([id, name, description, attributes]) => ({
    schemas: [SCHEMA],
    id,
    name,
    description,
    attributes,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
  }));
