/** A match to review: the records that may belong to one person, side by side. */
import { z } from 'zod';
import { id } from './primitives.ts';

/** What a reviewer compares, in the order of the page. */
export const REVIEW_FIELDS = [
  'family',
  'given',
  'middle',
  'suffix',
  'birthDate',
  'sex',
  'street',
  'city',
  'zip',
  'phone',
  'email',
  'ssnLast4',
  'medicareId',
  'memberId',
] as const;
export type ReviewField = (typeof REVIEW_FIELDS)[number];

/** How two values of a field compare. `unknown`: at least one of the records doesn't have it. */
export const AGREEMENTS = ['same', 'similar', 'different', 'unknown'] as const;
export type Agreement = (typeof AGREEMENTS)[number];

/** Names a candidate within one review, without revealing the person's id. */
export const candidateId = z.string().regex(/^[0-9a-f]{32}$/, 'Must be the id of a candidate.');

const reviewRecord = z.object({
  /** FACILITY: as a facility knows the patient; ROSTER: as an uploaded roster lists them. */
  source: z.enum(['FACILITY', 'ROSTER']),
  groupName: z.string(),
  /** The facility's record number, or the roster's member ID. */
  number: z.string(),
  /** Since when the facility or the roster has the record. */
  since: z.string(),
  /** As stored; null if not recorded. Several phone numbers or member IDs are joined by commas. */
  values: z.record(z.enum(REVIEW_FIELDS), z.string().nullable()),
});
export type ReviewRecord = z.infer<typeof reviewRecord>;

const reviewCandidate = z.object({
  id: candidateId,
  /** The person's record that agrees best; null if it belongs to another organization, which shares the agreement of each field only. */
  record: reviewRecord.nullable(),
  /** How many other records of the person the reviewer may see. */
  otherRecords: z.number().int(),
  agreement: z.record(z.enum(REVIEW_FIELDS), z.enum(AGREEMENTS)),
  /** Why this may be the same person, and what is different, in one to three sentences. */
  reason: z.string(),
  /** What speaks against a link. If there is any, ask before linking. */
  warnings: z.array(z.string()),
});
export type ReviewCandidate = z.infer<typeof reviewCandidate>;

/** Names what a reviewer sees of a match, so that a decision is about nothing else. */
export const reviewVersion = z.string().regex(/^[0-9a-f]{32}$/, 'Must be the version of a match.');

/** What comes first in a list of matches. */
export const REVIEW_ORDERS = ['likeliest', 'oldest'] as const;
export type ReviewOrder = (typeof REVIEW_ORDERS)[number];

export const review = z.object({
  id,
  version: reviewVersion,
  createdDate: z.string(),
  /** The record to identify. */
  record: reviewRecord,
  /** The people that the reviewer may choose, most likely first. */
  candidates: z.array(reviewCandidate),
  /** A possible match exists that the reviewer doesn't see. Always false for operators, who see all. */
  hasOutsideCandidate: z.boolean(),
  /** The reviewer uploaded or entered this patient, so someone else decides. */
  isOwnEntry: z.boolean(),
  /** Name and birth date agree with one candidate, nothing differs, and no other is near, so the match may be linked together with others. */
  isClear: z.boolean(),
});
export type Review = z.infer<typeof review>;

/** A decision, for as long as it is listed. */
export const decidedReview = z.object({
  id,
  decidedDate: z.string(),
  /** Someone of another organization is not named. */
  decidedBy: z.string(),
  /** The record that was identified, as it is now. */
  record: reviewRecord,
  /** The person it was linked to, as far as the reviewer sees them; null if it is not the same person as any of them. */
  candidate: reviewCandidate.nullable(),
  isLinked: z.boolean(),
  /** False if something else has changed the link since, or the reviewer uploaded or entered the patient. */
  canUndo: z.boolean(),
});
export type DecidedReview = z.infer<typeof decidedReview>;

/** For how many days a decision is listed. */
export const DECIDED_DAYS = 30;
