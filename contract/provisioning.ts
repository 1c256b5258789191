/** How an identity provider makes and manages accounts, as administrators set it up at its connection. */
import { z } from 'zod';
import { id, instant } from './primitives.ts';

/** A role on a team, for each of its groups. */
export const teamRole = z.object({ teamId: id, roleId: id });
export type TeamRole = z.infer<typeof teamRole>;

/** The most teams that a group of the provider can give access to. */
export const PROVIDER_GROUP_MOST_TEAMS = 50;

export const providerGroup = z.object({
  id,
  /** As the identity provider has it. */
  name: z.string(),
  memberCount: z.number().int(),
  access: z.array(teamRole),
});
export type ProviderGroup = z.infer<typeof providerGroup>;

export const scimToken = z.object({
  id,
  /** The last four characters. */
  ending: z.string(),
  createdAt: instant,
  /** Null if the account no longer exists. */
  createdBy: z.string().nullable(),
  lastUsedAt: instant.nullable(),
});
export type ScimToken = z.infer<typeof scimToken>;

export const provisioning = z.object({
  /** Where the identity provider reaches us. */
  baseUrl: z.string(),
  tokens: z.array(scimToken),
  groups: z.array(providerGroup),
  /** What someone without an account gets at the first sign-in; null if they are refused. */
  newUsers: teamRole.nullable(),
});
export type Provisioning = z.infer<typeof provisioning>;
