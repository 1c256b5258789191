/** Recognizes the headers of a roster file, in any order, case and punctuation, and by common synonyms. */
import { FULL_NAME, missingColumns, ROSTER_TARGETS, type RosterTarget, targetLabel } from '#contract/roster-columns.ts';
import { LONGEST_HEADER } from '#contract/roster-limits.ts';
import type { RosterHeaderReading } from '#contract/rosters.ts';

const SYNONYMS: Record<RosterTarget, readonly string[]> = {
  memberId: [
    'member no',
    'member number',
    'patient id',
    'pat id',
    'pid',
    'id',
    'mrn',
    'medical record number',
    'record number',
    'rec id',
    'record id',
    'person id',
    'subscriber id',
    'subscriber number',
    'chart number',
    'empi',
    'identifier',
    'unique identifier',
    'unique patient identifier',
    'external id',
  ],
  firstName: ['first', 'fname', 'given name', 'given', 'forename', 'first nm', '1st name'],
  middleName: ['middle', 'mname', 'middle initial', 'mi', 'initial', 'middle nm', 'midl name'],
  lastName: ['last', 'lname', 'surname', 'family name', 'family', 'last nm'],
  nameSuffix: ['name suffix', 'generation'],
  dateOfBirth: [
    'dob',
    'd o b',
    'birth date',
    'birthday',
    'birth day',
    'birth dt',
    'date of birth mm dd yyyy',
    'date birth',
    'brth dt',
    'date of birth dob',
  ],
  gender: ['sex', 'administrative sex', 'sex code', 'sex cd', 'gender code', 'gender cd', 'sex at birth'],
  address1: [
    'address',
    'address line 1',
    'addr 1',
    'street',
    'street 1',
    'street address',
    'addr line 1',
    'line 1 address',
    'line 1 adr',
  ],
  address2: [
    'address line 2',
    'addr 2',
    'street 2',
    'apartment',
    'apt',
    'unit',
    'addr line 2',
    'line 2 address',
    'line 2 adr',
  ],
  address3: ['address line 3', 'addr 3', 'street 3'],
  city: ['town', 'suburb'],
  state: ['st', 'province', 'state code', 'usps state code'],
  zip: ['zip code', 'zip 5', 'postal code', 'postcode', 'p code', 'zip cd'],
  homePhone: [
    'phone',
    'phone 1',
    'phone number',
    'primary phone',
    'telephone',
    'home',
    'home phone number',
    'telephone number',
  ],
  mobilePhone: ['mobile', 'cell', 'cell phone', 'phone 2', 'mobile phone number'],
  ssnLast4: [
    'ssn',
    'ssn 4',
    'last 4 ssn',
    'last 4 of ssn',
    'last four ssn',
    'social security number',
    'soc sec id',
    'last 4 of social',
  ],
  medicareId: [
    'mbi',
    'medicare beneficiary identifier',
    'medicare beneficiary id',
    'medicare number',
    'medicare no',
    'mbi id',
    'mbi number',
  ],
  program: ['programs', 'program name'],
  practice: ['practices', 'practice name'],
  providerFirstName: ['pcp first name', 'physician first name'],
  providerLastName: ['pcp last name', 'physician last name'],
  providerNpi: ['npi', 'pcp npi', 'physician npi'],
  providerTitle: ['pcp title', 'physician title', 'provider credentials'],
  providerType: ['pcp type', 'physician type', 'provider specialty'],
  providerPhone: ['provider telephone', 'pcp phone', 'physician phone', 'provider phone number'],
  providerFax: ['pcp fax', 'physician fax', 'provider fax number'],
  providerEmail: ['pcp email', 'physician email', 'provider email address'],
  providerDirectMessage: ['provider direct message', 'direct address', 'direct message address', 'pcp direct address'],
  careCoordinators: ['care coordinator', 'coordinator', 'care manager', 'case manager'],
  careCoordinatorTitles: ['care coordinator title', 'coordinator title', 'care manager title'],
  careCoordinatorPhones: [
    'care coordinator phone',
    'coordinator phone',
    'care manager phone',
    'care coordinator telephone',
  ],
  careCoordinatorFaxes: ['care coordinator fax', 'coordinator fax', 'care manager fax'],
  careCoordinatorEmails: ['care coordinator email', 'coordinator email', 'care manager email'],
  careCoordinatorEventTypes: ['care coordinator event type', 'coordinator event types'],
  insurance: ['insurances', 'payer', 'payor', 'health plan', 'plan'],
  tags: ['tag', 'patient tags'],
  careGaps: ['care gap', 'open care gaps', 'gaps in care'],
  advanceCareDocuments: ['advance care document', 'advance directive', 'advance directives'],
  currentlyBillingAgencies: ['currently billing agency', 'billing agency', 'billing agencies', 'currently billing'],
  fullName: ['name', 'full name', 'last first', 'last first middle'],
};

/** A header without what does not tell headers apart: case, blanks and punctuation. */
export const headerKey = (header: string): string =>
  header
    .slice(0, LONGEST_HEADER)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

const COLUMN_OF = new Map(
  ROSTER_TARGETS.flatMap((column) =>
    [targetLabel(column), column, ...SYNONYMS[column]].map((name): [string, RosterTarget] => [headerKey(name), column]),
  ),
);

/** What a group's own headers mean, by `headerKey`; null: ignored. */
export type HeaderMapping = ReadonlyMap<string, RosterTarget | null>;
const NO_MAPPING: HeaderMapping = new Map();

function columnOf(header: string): RosterTarget | undefined {
  const name = headerKey(header);
  return COLUMN_OF.get(name) ?? COLUMN_OF.get(name.replace(/^(patient|member|mbr|beneficiary|bene|pt)/, ''));
}

export interface Header {
  /** The column of each cell by position; null if its cells are not read. */
  columns: (RosterTarget | null)[];
  /** How each header was understood, by position. */
  readings: RosterHeaderReading[];
  /** Headers whose cells are not read: unknown ones, ignored ones, and further headers of the same column. */
  ignored: string[];
  /** Headers of missing required columns. */
  missing: string[];
}

interface Found {
  column: RosterTarget | null;
  reading: RosterHeaderReading;
  /** The header that counts among those of one column is the first of the highest rank. */
  rank: number;
}

function findColumn(header: string, mapping: HeaderMapping): Found {
  const mapped = mapping.get(headerKey(header));
  if (mapped === null) return { column: null, reading: 'IGNORED', rank: 0 };
  if (mapped !== undefined) return { column: mapped, reading: 'MAPPED', rank: 3 };
  const column = columnOf(header);
  if (column === undefined) return { column: null, reading: 'UNKNOWN', rank: 0 };
  return { column, reading: 'NAME', rank: headerKey(header) === headerKey(targetLabel(column)) ? 2 : 1 };
}

/**
 * Reads a header row. Of several headers for one column, one that the group has mapped counts, then the column's own name, then the first.
 * A whole name counts only where a column for the first or the last name is missing.
 */
export function readHeader(cells: readonly string[], mapping: HeaderMapping = NO_MAPPING): Header {
  const found = cells.map((header) => findColumn(header, mapping));
  const best = new Map<RosterTarget, number>();
  found.forEach(({ column, rank }, position) => {
    if (column === null) return;
    const earlier = best.get(column);
    if (earlier === undefined || rank > (found[earlier]?.rank ?? 0)) best.set(column, position);
  });
  if (best.has('firstName') && best.has('lastName')) best.delete(FULL_NAME.id);
  const counts = ({ column }: Found, position: number): boolean => column !== null && best.get(column) === position;
  const columns = found.map((each, position) => (counts(each, position) ? each.column : null));
  return {
    columns,
    readings: found.map((each, position) =>
      each.column !== null && !counts(each, position) ? 'DUPLICATE' : each.reading,
    ),
    ignored: cells
      .filter((header, position) => columns[position] === null && header.trim() !== '')
      .map((h) => h.trim()),
    missing: missingColumns(columns).map(targetLabel),
  };
}

const DELIMITERS = [',', ';', '\t', '|'] as const;

/**
 * Returns the delimiter with which one of a file's first lines has the most known headers; among equals the one that occurs most in the
 * first line, then the comma. The header need not be the first line: exports begin with titles.
 */
export function delimiterOf(firstLines: readonly string[], mapping: HeaderMapping = NO_MAPPING): string {
  const headersOf = (line: string, delimiter: string): string[] =>
    line.split(delimiter).map((header) => header.replaceAll('"', ''));
  const score = (delimiter: string): number => {
    const known = firstLines.map(
      (line) => headersOf(line, delimiter).filter((header) => findColumn(header, mapping).column !== null).length,
    );
    return Math.max(0, ...known) * 1000 + headersOf(firstLines[0] ?? '', delimiter).length;
  };
  return DELIMITERS.reduce<string>((best, next) => (score(next) > score(best) ? next : best), ',');
}
