/** Typeahead for filter values and patients. */
import { z } from 'zod';
import { type Facet, TERM_FACETS } from './facets.ts';
import { MANAGEMENT_STATUSES } from './management-status.ts';
import { ping } from './pings.ts';
import { patientId } from './primitives.ts';
import { searchParameters } from './search.ts';

const TYPEAHEAD_SIZE = 5;

/**
 * Facets with a call of their own, by the last part of its path. All other facets are looked up by 'values', with the facet's name in the
 * body.
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

/** `parameters`: the list to look in. Its other filters limit what is found and counted. */
export const typeaheadQuery = z.object({
  query: z.string().trim().min(1).max(100),
  pageSize: z.number().int().min(1).max(50).default(TYPEAHEAD_SIZE),
  parameters: searchParameters.optional(),
  /** The facet to look in: required for 'values'; for 'diagnoses' it can be the prior diagnoses. */
  facet: z.enum(TERM_FACETS).optional(),
});

/** A name or identifier, or nothing where `parameters` have a birth date. */
export const patientTypeaheadQuery = typeaheadQuery
  .omit({ facet: true })
  .extend({ query: z.string().trim().max(100) })
  .refine(({ query, parameters }) => query !== '' || parameters?.userDefinedFacetPreferences.dateOfBirth, {
    path: ['query'],
    message: 'Type a name, an identifier or a birth date.',
  });

/**
 * A patient found by name or identifier, with details to tell similar patients apart. In the list PINGS a patient's stays with an open ping are
 * an option each, newest first; without any, the newest stay is the only one.
 */
export const patientOption = z.object({
  /** As of every option: the patient's id, and the name. */
  value: patientId,
  label: z.string(),
  id: patientId,
  /** FAMILY, Given */
  name: z.string(),
  dateOfBirth: z.string().nullable(),
  gender: z.string(),
  /** Null without canViewAllPatientDetails. */
  memberId: z.string().nullable(),
  /** Whether another patient in this answer has a similar name and birth date. */
  isSimilarToAnother: z.boolean(),
  /** In the list PINGS, where the option is one stay: the event that heads its row, its facility, and the status of the whole stay. */
  stay: ping
    .pick({ status: true, state: true, setting: true, dischargedTo: true, payor: true, eventDate: true })
    .extend({ facilityName: z.string(), timeZone: z.string(), managementStatus: z.enum(MANAGEMENT_STATUSES) })
    .optional(),
});
