interface RosterColumnDefinition {
  header: string;
  required?: boolean;
  /** Cells hold several values separated by ';'. */
  list?: boolean;
  /** A list with one value for each value of the other column, in its order: blank where there is none. */
  beside?: 'careCoordinators';
  /** Newer than the first rosters: a row without a value has the hash that it had before there was this column. */
  added?: boolean;
  example: string;
}

/** The columns of a roster file. */
export const ROSTER_COLUMNS = {
  memberId: { header: 'Member ID', required: true, example: 'LK-100237' },
  firstName: { header: 'First Name', required: true, example: 'Adaeze' },
  middleName: { header: 'Middle Name', example: 'Ngozi' },
  lastName: { header: 'Last Name', required: true, example: 'Okonkwo-Reyes' },
  nameSuffix: { header: 'Suffix', example: '' },
  dateOfBirth: { header: 'Date of Birth', required: true, example: '03/14/1941' },
  gender: { header: 'Gender', example: 'Female' },
  address1: { header: 'Address 1', example: '12 Heron Lane' },
  address2: { header: 'Address 2', example: 'Apt 4' },
  address3: { header: 'Address 3', added: true, example: '' },
  city: { header: 'City', example: 'Alder Bay' },
  state: { header: 'State', example: 'NY' },
  zip: { header: 'ZIP', example: '14601' },
  homePhone: { header: 'Home Phone', example: '585-555-0134' },
  mobilePhone: { header: 'Mobile Phone', example: '' },
  ssnLast4: { header: 'SSN Last 4', example: '' },
  medicareId: { header: 'Medicare ID', example: '' },
  program: { header: 'Program', list: true, example: 'ACO REACH' },
  practice: { header: 'Practice', list: true, example: 'Alder Bay Family Medicine' },
  providerFirstName: { header: 'Provider First Name', example: 'Ama' },
  providerLastName: { header: 'Provider Last Name', example: 'Osei' },
  providerNpi: { header: 'Provider NPI', example: '' },
  providerTitle: { header: 'Provider Title', added: true, example: 'MD' },
  providerType: { header: 'Provider Type', added: true, example: 'Primary care' },
  providerPhone: { header: 'Provider Phone', added: true, example: '585-555-0110' },
  providerFax: { header: 'Provider Fax', added: true, example: '585-555-0111' },
  providerEmail: { header: 'Provider Email', added: true, example: '' },
  providerDirectMessage: { header: 'Provider Direct Address', added: true, example: '' },
  careCoordinators: { header: 'Care Coordinators', list: true, example: 'Rosa Diaz;Imani Ferris' },
  careCoordinatorTitles: {
    header: 'Care Coordinator Titles',
    list: true,
    beside: 'careCoordinators',
    added: true,
    example: 'RN;LMSW',
  },
  careCoordinatorPhones: {
    header: 'Care Coordinator Phones',
    list: true,
    beside: 'careCoordinators',
    added: true,
    example: '585-555-0121;585-555-0122',
  },
  careCoordinatorFaxes: {
    header: 'Care Coordinator Faxes',
    list: true,
    beside: 'careCoordinators',
    added: true,
    example: ';585-555-0123',
  },
  careCoordinatorEmails: {
    header: 'Care Coordinator Emails',
    list: true,
    beside: 'careCoordinators',
    added: true,
    example: '',
  },
  careCoordinatorEventTypes: {
    header: 'Care Coordinator Event Types',
    list: true,
    beside: 'careCoordinators',
    added: true,
    example: 'Admissions;Discharges',
  },
  insurance: { header: 'Insurance', list: true, example: 'Medicare' },
  tags: { header: 'Tags', list: true, example: 'High touch' },
  careGaps: { header: 'Care Gaps', list: true, example: 'Annual wellness visit' },
  advanceCareDocuments: { header: 'Advance Care Documents', list: true, example: '' },
  currentlyBillingAgencies: { header: 'Currently Billing Agencies', list: true, example: '' },
} as const satisfies Record<string, RosterColumnDefinition>;
export type RosterColumn = keyof typeof ROSTER_COLUMNS;

/** The columns that a file may leave out. */
export const ROSTER_OPTIONAL = (Object.keys(ROSTER_COLUMNS) as RosterColumn[]).filter(
  (column) => !('required' in ROSTER_COLUMNS[column]),
);

/** A column that holds a whole name as 'Last, First Middle', for files that have no columns for its parts. */
export const FULL_NAME = { id: 'fullName', header: 'Full name (Last, First Middle)' } as const;

/** What a header can mean. */
export type RosterTarget = RosterColumn | typeof FULL_NAME.id;
export const ROSTER_TARGETS = [...(Object.keys(ROSTER_COLUMNS) as RosterColumn[]), FULL_NAME.id] as const;

/** Returns the words for a column. */
export const targetLabel = (target: RosterTarget): string =>
  target === FULL_NAME.id ? FULL_NAME.header : ROSTER_COLUMNS[target].header;

/** Returns the required columns that these do not give. A whole name gives both of its parts. */
export function missingColumns(given: readonly (RosterTarget | null)[]): RosterColumn[] {
  const isName = (column: RosterColumn): boolean => column === 'firstName' || column === 'lastName';
  return (Object.keys(ROSTER_COLUMNS) as RosterColumn[]).filter(
    (column) =>
      'required' in ROSTER_COLUMNS[column] &&
      !given.includes(column) &&
      !(isName(column) && given.includes(FULL_NAME.id)),
  );
}
