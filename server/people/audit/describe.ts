/** What an entry says about a question and its answer: ids, numbers and words of the contract as they are, every other text as a hash. */
import { EVENT_CODES } from '#contract/event-codes.ts';
import { DATE_FIELDS, FACET_NAMES } from '#contract/facets.ts';
import { MANAGEMENT_STATUSES } from '#contract/management-status.ts';
import { id, patientId } from '#contract/primitives.ts';
import type { AuditHash } from './audit-hash.ts';

/** Parameters that the contract limits to words of its own or to times. */
const WORDS = new Set([
  'attemptedAt',
  'channel',
  'day',
  'facet',
  'kind',
  'moduleName',
  'outcome',
  'purpose',
  'receivedFrom',
  'receivedTo',
  'searchContext',
  'sortBy',
  'sortOrder',
  'status',
  // Of a document: random, so it says nothing about the patient.
  'uuid',
]);
/** Parameters that hold our ids. Not every `…Id` does: a member id belongs to a person. */
const IDS = new Set([
  'attemptId',
  'changeId',
  'eventId',
  'eventIdentifier',
  'eventIdentifiers',
  'expectedTagIds',
  'facilityId',
  'feedId',
  'encounterId',
  'filterId',
  'groupId',
  'id',
  'instructionId',
  'linkId',
  'ignoredPatientIds',
  'jobId',
  'patientId',
  'patientIds',
  'personId',
  'recordId',
  'statusIds',
  'tagIds',
  'toUserId',
  'tokenId',
  'userId',
  'visibleTo',
]);
const CODES: ReadonlySet<string> = new Set([
  ...FACET_NAMES,
  ...Object.keys(DATE_FIELDS),
  ...MANAGEMENT_STATUSES,
  ...EVENT_CODES,
]);
/** A filter's facet and value. Both are free text to the contract, so only codes that we know stay as they are. */
const FILTER_PARTS = new Set(['field', 'value']);
const MOST_VALUES = 100;

const isId = (value: unknown): value is string => id.safeParse(value).success;
const isPatientId = (value: unknown): value is string => patientId.safeParse(value).success;

/** Returns the parameters of a question, without those that say nothing. */
export function describeQuestion(parts: Record<string, unknown>, hash: AuditHash): Record<string, unknown> {
  const described = Object.entries(parts).map(([key, value]) => [key, describe(key, value, hash)] as const);
  return Object.fromEntries(described.filter(([, value]) => value !== undefined));
}

function describe(key: string, value: unknown, hash: AuditHash): unknown {
  if (value === null || value === undefined || value === false || value === '') return undefined;
  if (typeof value === 'number' || value === true) return value;
  if (typeof value === 'string') return isPlain(key, value) ? value : hash(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return undefined;
    return value.length > MOST_VALUES ? { values: value.length } : value.map((each) => describe(key, each, hash));
  }
  const inner = describeQuestion(value as Record<string, unknown>, hash);
  return Object.keys(inner).length > 0 ? inner : undefined;
}

function isPlain(key: string, text: string): boolean {
  if (IDS.has(key)) return isId(text) || isPatientId(text);
  return WORDS.has(key) || (FILTER_PARTS.has(key) && CODES.has(text));
}

export interface DescribedAnswer {
  /** Roster patients shown. */
  patientIds: string[];
  answered: Record<string, unknown>;
}

const NUMBERS = ['total', 'count', 'pings', 'patients'];
/** Lists of things that are not patients. */
const LISTS = ['messages', 'reviews', 'accesses', 'hashes', 'counts'];

/** Returns what an answer showed: patients and visits by id, totals, and how many values of filters. */
export function describeAnswer(answer: unknown): DescribedAnswer {
  const ids = shownPatients(answer);
  const visits = ids.map((each) => each.split('_')[1]).filter((visit) => visit !== '0');
  const patientIds = [...new Set(ids.map((each) => each.split('_')[0] ?? ''))];
  const answered: Record<string, unknown> = visits.length > 0 ? { visits: visits.map(Number) } : {};
  if (Array.isArray(answer)) answered['rows'] = answer.length;
  else if (answer !== null && typeof answer === 'object') Object.assign(answered, describeFields(answer));
  return { patientIds, answered };
}

function describeFields(answer: object): Record<string, unknown> {
  const fields = answer as Record<string, unknown>;
  const described: Record<string, unknown> = {};
  for (const name of NUMBERS) if (typeof fields[name] === 'number') described[name] = fields[name];
  for (const name of LISTS) if (Array.isArray(fields[name])) described[name] = idsOrCount(fields[name]);
  const { facets } = fields as { facets?: Record<string, { options: unknown[] } | undefined> };
  const facetValues = Object.values(facets ?? {}).reduce((sum, facet) => sum + (facet?.options.length ?? 0), 0);
  return facetValues > 0 ? { ...described, facetValues } : described;
}

function idsOrCount(list: readonly unknown[]): unknown {
  const ids = list.map((each) => (each as { id?: unknown } | null)?.id).filter(isId);
  return ids.length > 0 ? ids.map(Number) : list.length;
}

/** Returns the patient ids in an answer: its own, those of its lists, and those that it lists as such. */
function shownPatients(answer: unknown): string[] {
  if (Array.isArray(answer)) return answer.flatMap(idsIn);
  const lists = answer !== null && typeof answer === 'object' ? Object.values(answer).filter(Array.isArray) : [];
  return [...idsIn(answer), ...lists.flat().flatMap(idsIn)];
}

function idsIn(value: unknown): string[] {
  if (typeof value === 'string') return isPatientId(value) ? [value] : [];
  const { id: own, patientId: named } = (value ?? {}) as { id?: unknown; patientId?: unknown };
  return [own, named].filter(isPatientId);
}
