/** Looking values up while typing (specification, second file, section 7). */
import { z } from 'zod';
import { type Facet, TERM_FACETS } from './facets.ts';
import { patientId } from './primitives.ts';
import { searchParameters } from './search.ts';

export const TYPEAHEAD_SIZE = 5;

/**
 * What is looked up, by the last part of the call's path, and the facet that a choice filters by. Facets for which the specification has
 * no call are looked up by 'values', with their name in the body.
 */
export const TYPEAHEADS = {
  facilities: 'facilityName',
  programs: 'program',
  practices: 'practice',
  'care-coordinators': 'careCoordinator',
  providers: 'provider',
  cities: 'city',
  zipCodes: 'zipCode',
  diagnoses: 'diagnoses',
} as const satisfies Record<string, Facet>;
export type TypeaheadKind = keyof typeof TYPEAHEADS | 'values';
export const TYPEAHEAD_KINDS = ['values', ...Object.keys(TYPEAHEADS)] as [TypeaheadKind, ...TypeaheadKind[]];

/** `parameters`: the list that the value is looked up for; its other filters restrict what is found and counted. */
export const typeaheadQuery = z.object({
  query: z.string().trim().min(1).max(100),
  pageSize: z.number().int().min(1).max(50).default(TYPEAHEAD_SIZE),
  parameters: searchParameters.optional(),
  /** The facet to look in: with 'values' any one, with 'diagnoses' the prior ones beside them. Otherwise none is named. */
  facet: z.enum(TERM_FACETS).optional(),
});

/** A person by name or identifier, with what tells him or her from others. */
export const patientOption = z.object({
  id: patientId,
  /** FAMILY, Given */
  name: z.string(),
  dateOfBirth: z.string().nullable(),
  gender: z.string(),
  /** Null without canViewAllPatientDetails. */
  memberId: z.string().nullable(),
  /** Somebody else in this answer has a similar name and birth date. */
  isSimilarToAnother: z.boolean(),
});
