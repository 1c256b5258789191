import type { Field, Level } from './comparison.ts';

/**
 * The numbers of the model (docs/matching.md). Where no source is named, they are our estimates, rounded to the careful side;
 * `npm run propose:matching` compares them with an installation's own records.
 *
 * Sources: [CMS] CMS Health Technology Ecosystem, Patient Matching proposal v3.4.0 (draft), table 3. [SSA] Social Security Administration,
 * given names 1920 to 2016. [Census] Census Bureau, family names of 1990. [NVSR] CDC, National Vital Statistics Reports: twins are 1.9 %
 * of births in 1980 and 3.1 % in 2022.
 */

/** Someone whom a record may be mistaken for. A relative or neighbor agrees far more often by chance than a stranger does. */
export type Population =
  | 'stranger'
  | 'neighbor'
  | 'contact'
  | 'household'
  | 'sibling'
  | 'twin'
  | 'grownTwin'
  | 'grownTwinAtHome'
  | 'namesake'
  | 'namesakeAtHome';
export type Relative = Exclude<Population, 'stranger'>;
export const RELATIVES: readonly Relative[] = [
  'neighbor',
  'contact',
  'household',
  'sibling',
  'twin',
  'grownTwin',
  'grownTwinAtHome',
  'namesake',
  'namesakeAtHome',
];

/** An automatic link is expected to be wrong at most this often per subject. */
export const EXPECTED_FALSE_LIMIT = 1e-6;
/** A candidate is far ahead of others if they are this many bits less likely: about a thousand times. */
export const CLEAR_LEAD = 10;
/** A small roster still meets a whole city's hospital, so strangers are never fewer than this. */
export const FEWEST_STRANGERS = 100_000;

/**
 * How many of each are on the lists of someone who is not. Neighbors have the same address without being family: hardly any next door, a hundred in
 * a nursing home. Contacts have the same phone: a relative's, an employer's, a clinic's. Siblings, grown twins and namesakes live elsewhere, or else
 * share the home with all that belongs to it. Namesakes are parents, children and grandchildren of the same name, with or without Jr. Twins by
 * [NVSR]; half of the relatives are listed.
 */
// biome-ignore format: a table
export const COUNTS: Record<Relative, number> = {
  neighbor: 2, contact: 5, household: 1.2, sibling: 0.55, twin: 0.015, grownTwin: 0.015, grownTwinAtHome: 0.001, namesake: 0.015, namesakeAtHome: 0.005,
};

/** Hardly any twins born before this still live together. A fixed date, because the same facts always give the same links. */
export const GROWN = '1990-01-01';

/**
 * How often one of two records does not have what would tell relatives apart, so that the rest of a relative's record agrees: visits
 * without a birth date are about one in 1,000. For an initial, times the share of records of one person that agree in it only.
 */
export const OMITTED = { given: 5e-4, initial: 5e-5, birthDate: 1e-3 };

/** How often a relative has the same family name, address, phone, email or plan number. */
// biome-ignore format: a table
export const SHARED: Record<Relative, { family: number; address: number; phone: number; email: number; memberId: number }> = {
  neighbor:        { family: 0,    address: 1,     phone: 0.3,   email: 0.01,  memberId: 0 },
  contact:         { family: 0,    address: 0.005, phone: 1,     email: 0.1,   memberId: 0 },
  household:       { family: 0.6,  address: 1,     phone: 0.5,   email: 0.2,   memberId: 0.3 },
  sibling:         { family: 0.6,  address: 0.02,  phone: 0.05,  email: 0.02,  memberId: 0.05 },
  twin:            { family: 0.97, address: 0.95,  phone: 0.9,   email: 0.5,   memberId: 0.5 },
  grownTwin:       { family: 0.6,  address: 0.01,  phone: 0.005, email: 0.002, memberId: 0.002 },
  grownTwinAtHome: { family: 0.9,  address: 1,     phone: 0.6,   email: 0.3,   memberId: 0.3 },
  namesake:        { family: 1,    address: 0.02,  phone: 0.05,  email: 0.03,  memberId: 0.05 },
  namesakeAtHome:  { family: 1,    address: 1,     phone: 0.7,   email: 0.3,   memberId: 0.6 },
};

/** How often a level occurs: between two records of one person, between strangers, and between those relatives in which it differs. */
export type Row = readonly [match: number, stranger: number, relatives?: Partial<Record<Relative, number>>];
export type Rows = Partial<Record<Level, Row>>;

/**
 * A stranger's `exact` is the least: a value that is more common counts with its own share (`common-values.ts`). For names it is far above the
 * shares of rare names, because names come together: someone who is called Mohamed is called Alizadeh more often than chance would have it.
 * A sister's former name is her brother's name, so siblings agree in it more often than two records of one person do.
 */
// biome-ignore format: a table
export const PARAMETERS: Record<'given' | 'family' | 'middle' | 'suffix' | 'birthDate' | 'sex' | 'phone' | 'email' | 'ssnLast4' | 'medicareId' | 'memberId', Rows> = {
  given: {
    exact:    [0.80,  0.002, { household: 1e-5, sibling: 1e-5, twin: 1e-5, grownTwin: 1e-6, namesake: 0.9 }],
    nickname: [0.04,  0.002, { household: 1e-4, sibling: 1e-4, twin: 2e-4, grownTwin: 1e-5, namesake: 0.05 }],
    typo:     [0.05,  2e-4,  { household: 2e-5, sibling: 2e-5, twin: 3e-4, grownTwin: 2e-5, namesake: 0.03 }],
    similar:  [0.02,  5e-4,  { household: 2e-5, sibling: 2e-5, twin: 3e-4, grownTwin: 1e-5, namesake: 0.02 }],
    unfamiliar: [0.02,  5e-4,  { household: 1e-3, sibling: 0.005, twin: 0.05, namesake: 0.02 }],
    initial:  [0.02,  0.07,  { household: 0.07, sibling: 0.1, twin: 0.2, namesake: 0.02 }],
    part:     [0.02,  1e-3,  { household: 0.01, sibling: 0.01, twin: 0.01, namesake: 0.03 }],
    alike:    [0.005, 0.005, { household: 0.02, sibling: 0.05, twin: 0.1, namesake: 0.01 }],
    swapped:  [0.01,  1e-4,  { household: 1e-6, sibling: 1e-7, twin: 1e-8, namesake: 0.01 }],
    differs:  [0.03,  0.92,  { household: 0.92, sibling: 0.9, twin: 0.8, namesake: 0.05 }],
  },
  family: {
    exact:    [0.86,  5e-5],
    typo:     [0.04,  3e-4],
    similar:  [0.02,  2e-3],
    part:     [0.02,  1e-3],
    former:   [0.01,  2e-4,  { household: 0.01, sibling: 0.05, twin: 0.02, grownTwin: 0.05, namesake: 0.03 }],
    swapped:  [1,     1e-3],
    differs:  [0.05,  0.995],
  },
  middle: {
    exact:    [0.60,  0.03,  { namesake: 0.4 }],
    initial:  [0.30,  0.08,  { namesake: 0.2 }],
    typo:     [0.02,  0.005],
    similar:  [0.01,  0.01],
    differs:  [0.07,  0.88,  { namesake: 0.4 }],
  },
  suffix: {
    exact:    [0.97,  0.4,   { namesake: 0.02 }],
    differs:  [0.03,  0.6,   { namesake: 0.98 }],
  },
  birthDate: {
    exact:      [0.92,  5e-5,  { twin: 0.95, namesake: 1e-6 }],
    swapped:    [0.01,  5e-5,  { twin: 0.01, namesake: 1e-6 }],
    typo:       [0.03,  8e-4,  { twin: 0.02, namesake: 1e-6 }],
    part:       [0.012, 1e-3,  { twin: 0.01, namesake: 1e-6 }],
    differs:    [0.015, 0.4,   { twin: 0.01, namesake: 0.02 }],
    generation: [0.01,  0.6,   { twin: 1e-3, namesake: 0.98 }],
  },
  sex: {
    exact:    [0.985, 0.5, { household: 0.4, twin: 0.65, namesake: 0.95 }],
    differs:  [0.015, 0.5, { household: 0.6, twin: 0.35, namesake: 0.05 }],
  },
  phone:      { exact: [0.65, 2e-6], differs: [0.35, 1] },
  email:      { exact: [0.60, 1e-6], differs: [0.40, 1] },
  memberId:   { exact: [0.80, 1e-6], differs: [0.20, 1] },
  // Numbers of twins are assigned together and follow one another: they agree only by mistake. A parent's is entered for a child now and then.
  ssnLast4: {
    exact:    [0.95,  1e-4,  { twin: 5e-6, namesake: 1e-3 }],
    typo:     [0.04,  4e-3,  { sibling: 0.01, twin: 0.2 }],
    differs:  [0.01,  0.996],
  },
  medicareId: {
    exact:    [0.95,  1e-7,  { household: 1e-5 }],
    typo:     [0.02,  1e-6],
    differs:  [0.03,  1],
  },
};

/** How many records of one person are from before and after a move. */
export const MOVED = 0.1;

/**
 * How much more often two strangers of one family name live in one ZIP code than any two: names come with neighborhoods, and in some ZIP codes one in
 * thirty people is a Garcia. `from`: the share of a common name, with the given name.
 */
export const ZIP_OF_NAME = { common: 30, rare: 4, from: 4e-4 };

/** How often a level of an address part occurs: for someone who stayed, for someone who moved, and for strangers. */
export type AddressRow = readonly [stayed: number, moved: number, stranger: number];

/** `cityInZip`, `streetInZip`: within one ZIP code, the city hardly tells anyone apart, and streets are few. */
// biome-ignore format: a table
export const ADDRESS: Record<'zip' | 'city' | 'cityInZip' | 'street' | 'streetInZip' | 'houseNumber' | 'unit', Partial<Record<Level, AddressRow>>> = {
  zip:         { exact: [0.93, 0.2,   3e-4],  typo: [0.04, 0.1,   0.01],                                differs: [0.03, 0.7,  0.99] },
  city:        { exact: [0.86, 0.3,   0.01],  typo: [0.06, 0.02,  0.001], similar: [0.04, 0.01,  0.002], differs: [0.04, 0.67, 0.987] },
  cityInZip:   { exact: [0.86, 0.88,  0.88],  typo: [0.06, 0.04,  0.04],  similar: [0.04, 0.03,  0.03],  differs: [0.04, 0.05, 0.05] },
  street:      { exact: [0.80, 0.001, 0.001], typo: [0.10, 5e-4,  5e-4],  similar: [0.04, 0.001, 0.001], differs: [0.06, 1,    1] },
  streetInZip: { exact: [0.80, 0.01,  0.01],  typo: [0.10, 0.003, 0.003], similar: [0.04, 0.005, 0.005], differs: [0.06, 0.98, 0.98] },
  houseNumber: { exact: [0.90, 0.005, 0.005], typo: [0.05, 0.15,  0.15],                                differs: [0.05, 0.83, 0.83] },
  unit:        { exact: [0.97, 0.03,  0.03],                                                            differs: [0.03, 0.97, 0.97] },
};

export type AddressField = Extract<Field, 'zip' | 'city' | 'street' | 'houseNumber' | 'unit'>;
export const ADDRESS_FIELDS: readonly AddressField[] = ['zip', 'city', 'street', 'houseNumber', 'unit'];
