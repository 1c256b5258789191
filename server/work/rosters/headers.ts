/** Recognizes the headers of a roster file, in any order, case and punctuation, and by common synonyms. */
import { ROSTER_COLUMNS, type RosterColumn } from '#contract/roster-columns.ts';

const SYNONYMS: Record<RosterColumn, readonly string[]> = {
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
    'empi',
  ],
  firstName: ['first', 'fname', 'given name', 'given', 'forename'],
  middleName: ['middle', 'mname', 'middle initial', 'mi', 'initial'],
  lastName: ['last', 'lname', 'surname', 'family name', 'family'],
  nameSuffix: ['name suffix', 'generation'],
  dateOfBirth: ['dob', 'birth date', 'birthday', 'birth day'],
  gender: ['sex', 'administrative sex'],
  address1: ['address', 'address line 1', 'addr 1', 'street', 'street 1', 'street address'],
  address2: ['address line 2', 'addr 2', 'street 2', 'apartment', 'apt', 'unit'],
  address3: ['address line 3', 'addr 3', 'street 3'],
  city: ['town', 'suburb'],
  state: ['st', 'province'],
  zip: ['zip code', 'zip 5', 'postal code', 'postcode', 'p code'],
  homePhone: ['phone', 'phone 1', 'phone number', 'primary phone', 'telephone', 'home', 'home phone number'],
  mobilePhone: ['mobile', 'cell', 'cell phone', 'phone 2', 'mobile phone number'],
  ssnLast4: ['ssn', 'ssn 4', 'last 4 ssn', 'last 4 of ssn', 'last four ssn', 'social security number', 'soc sec id'],
  medicareId: ['mbi', 'medicare beneficiary identifier', 'medicare beneficiary id', 'medicare number', 'medicare no'],
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
};

const plain = (header: string): string => header.toLowerCase().replace(/[^a-z0-9]/g, '');

const COLUMN_OF = new Map(
  (Object.keys(ROSTER_COLUMNS) as RosterColumn[]).flatMap((column) =>
    [ROSTER_COLUMNS[column].header, column, ...SYNONYMS[column]].map((name): [string, RosterColumn] => [
      plain(name),
      column,
    ]),
  ),
);

function columnOf(header: string): RosterColumn | undefined {
  const name = plain(header);
  return COLUMN_OF.get(name) ?? COLUMN_OF.get(name.replace(/^(patient|member|beneficiary|pt)/, ''));
}

export interface Header {
  /** The column of each cell by position; null if unknown. */
  columns: (RosterColumn | null)[];
  /** Headers whose cells are not read: unknown ones, and further headers of the same column. */
  ignored: string[];
  /** Headers of missing required columns. */
  missing: string[];
}

/** Reads a header row. Of two headers for one column, the first counts, unless only a later one is the column's own name. */
export function readHeader(cells: readonly string[]): Header {
  const found = cells.map(columnOf);
  const positionOf = new Map<RosterColumn, number>();
  found.forEach((column, position) => {
    if (column === undefined) return;
    const isOwnName = plain(cells[position] ?? '') === plain(ROSTER_COLUMNS[column].header);
    const earlier = positionOf.get(column);
    if (earlier === undefined) positionOf.set(column, position);
    else if (isOwnName && plain(cells[earlier] ?? '') !== plain(cells[position] ?? ''))
      positionOf.set(column, position);
  });
  const columns = found.map((column, position) =>
    column !== undefined && positionOf.get(column) === position ? column : null,
  );
  const required = Object.entries(ROSTER_COLUMNS).filter(([, column]) => 'required' in column);
  return {
    columns,
    ignored: cells
      .filter((header, position) => columns[position] === null && header.trim() !== '')
      .map((h) => h.trim()),
    missing: required.filter(([column]) => !columns.includes(column as RosterColumn)).map(([, { header }]) => header),
  };
}

const DELIMITERS = [',', ';', '\t', '|'] as const;

/** Returns the delimiter that yields the most known headers in the file's first line; among equals the one that occurs most, then the comma. */
export function delimiterOf(firstLine: string): string {
  const score = (delimiter: string): number => {
    const headers = firstLine.split(delimiter).map((header) => header.replaceAll('"', ''));
    return headers.filter((header) => columnOf(header) !== undefined).length * 1000 + headers.length;
  };
  return DELIMITERS.reduce<string>((best, next) => (score(next) > score(best) ? next : best), ',');
}
